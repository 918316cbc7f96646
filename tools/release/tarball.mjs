// Archives that depend on their files alone: two builds of one commit are the same bytes, whoever builds them, where and
// when. The tools of operating systems write times and owners, and those of macOS lack the options that leave them out.
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import { gzipSync } from "node:zlib";
import { Problem } from "../dev/command.mjs";

/** The time of every file in an archive, in seconds: zip has none before 1980. */
export const EPOCH = 315_532_800;

/**
 * Writes a `.tar.gz` with files of a folder, in the order given; without names, all files below the folder, sorted.
 *
 * @param {string} file
 * @param {string} folder
 * @param {readonly string[]} [names]
 */
export function writeTarball(file, folder, names = filesBelow(folder)) {
  const blocks = names.flatMap((name) => {
    const content = readFileSync(join(folder, name));
    const isExecutable = (statSync(join(folder, name)).mode & 0o100) !== 0;
    const padding = Buffer.alloc(-content.length & 511);
    return [header(name.split(sep).join("/"), content.length, isExecutable), content, padding];
  });
  const packed = gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
  packed[9] = 255; // The operating system, which differs: unknown.
  writeFileSync(file, packed);
}

/** @param {string} folder */
function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort();
}

/** The header of a file in the format ustar. @param {string} path @param {number} size @param {boolean} isExecutable */
function header(path, size, isExecutable) {
  // A long path is divided between two fields, of 155 and 100 bytes.
  const divided = path.length > 100 ? path.indexOf("/", path.length - 101) : -1;
  const name = path.slice(divided + 1);
  if (name.length > 100 || divided > 155 || /[^ -~]/.test(path)) throw new Problem(`tar can't name ${path}.`);
  const block = Buffer.alloc(512);
  const octal = (/** @type {number} */ value, /** @type {number} */ digits) =>
    value.toString(8).padStart(digits, "0");
  block.write(name, 0);
  block.write(octal(isExecutable ? 0o755 : 0o644, 7), 100);
  block.write(octal(0, 7), 108);
  block.write(octal(0, 7), 116);
  block.write(octal(size, 11), 124);
  block.write(octal(EPOCH, 11), 136);
  block.write("        0", 148); // Blanks in place of the checksum, and the type of a file.
  block.write("ustar\u000000", 257);
  if (divided > 0) block.write(path.slice(0, divided), 345);
  const sum = block.reduce((all, byte) => all + byte, 0);
  block.write(`${octal(sum, 6)}\0 `, 148);
  return block;
}
