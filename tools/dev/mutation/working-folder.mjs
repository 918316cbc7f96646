// Stryker runs tests in workers, which cannot change the folder of their process: here, each has its own.
let folder = process.cwd();
process.cwd = () => folder;
process.chdir = (to) => {
  folder = to;
};
