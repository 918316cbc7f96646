/**
 * Returns the source text by which the dynamic-provider host finds the provider of a kind. The state of every resource
 * of every user has it. This text, the entry that it loads and the names in it may never change.
 */
export function providerReference(kind: string): string {
  return `exports.handler=()=>require('module').createRequire(process.cwd()+'/')('pulumi-buildpipeline/provider').provider('${kind}')`;
}
