/**
 * Returns the source text by which the dynamic-provider host finds the provider of a kind. It stands in the state of every
 * resource of every user: this text, the entry it loads and the names it asks for may never change.
 */
export function providerReference(kind: string): string {
  return `exports.handler=()=>require('module').createRequire(process.cwd()+'/')('pulumi-buildpipeline/provider').provider('${kind}')`;
}
