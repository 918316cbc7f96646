import type { ListedStack } from "../../cli/pulumi/stack-listing.js";

/**
 * Does work for stacks, several at the same time. In waves, a stack waits for those that it reads, and does without its
 * work if one of these didn't succeed.
 */
export async function eachStack<Ended extends { readonly stack: ListedStack }>(
  stacks: readonly ListedStack[],
  { parallel, waves }: { readonly parallel: number; readonly waves?: boolean },
  work: (stack: ListedStack, because: ListedStack | undefined) => Promise<Ended>,
  succeeded: (ended: Ended) => boolean,
): Promise<Ended[]> {
  const ends: { readonly ended: Ended; readonly because: ListedStack | undefined }[] = [];
  const groups = [...Map.groupBy(stacks, ({ wave }) => (waves ? wave : 1))];
  for (const [, queue] of groups.sort(([one], [other]) => one - other)) {
    const worker = async () => {
      for (let stack = queue.shift(); stack !== undefined; stack = queue.shift()) {
        const { stack: own, reads } = stack;
        // One of another name is read by no stack here.
        const failed = ends.find(
          ({ ended }) =>
            ended.stack.stack === own && reads.includes(ended.stack.project) && !succeeded(ended),
        );
        // The stack that failed by itself, and not one that was skipped because of it.
        const because = waves ? (failed?.because ?? failed?.ended.stack) : undefined;
        ends.push({ because, ended: await work(stack, because) });
      }
    };
    await Promise.all(Array.from({ length: parallel }, worker));
  }
  return ends.map(({ ended }) => ended);
}
