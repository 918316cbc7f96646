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
  const ends: Ended[] = [];
  /** The stacks that failed by themselves, by those that were skipped because of them. */
  const causes = new Map<ListedStack, ListedStack>();
  const groups = [...Map.groupBy(stacks, ({ wave }) => (waves ? wave : 1))];
  for (const [, queue] of groups.sort(([one], [other]) => one - other)) {
    const worker = async () => {
      for (let stack = queue.shift(); stack !== undefined; stack = queue.shift()) {
        const { stack: own, reads } = stack;
        // One of another name is read by no stack here.
        const failed = ends.find(
          (end) => end.stack.stack === own && reads.includes(end.stack.project) && !succeeded(end),
        )?.stack;
        const because = waves && failed ? (causes.get(failed) ?? failed) : undefined;
        if (because !== undefined) causes.set(stack, because);
        ends.push(await work(stack, because));
      }
    };
    await Promise.all(Array.from({ length: parallel }, worker));
  }
  return ends;
}
