// Stands in for the SDK's entry in the bundled plugin: classes of resources are defined there, and never used.
class Resource {}
module.exports = {
  Resource,
  CustomResource: Resource,
  ComponentResource: Resource,
  ProviderResource: Resource,
  RunError: Error,
};
