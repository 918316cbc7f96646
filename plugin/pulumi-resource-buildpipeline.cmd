@node "%~dp0pulumi-resource-buildpipeline" %*
