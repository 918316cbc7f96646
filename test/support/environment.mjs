// The environment of tests. Plain JavaScript, because vitest.config.mts loads it.

/** What tests, and the processes that they start, may see of the machine's environment. */
const SEEN = [
  // Where programs and folders are, on Windows as well.
  ...["PATH", "HOME", "TMPDIR", "XDG_CACHE_HOME", "LD_LIBRARY_PATH", "PYENV_ROOT"],
  ...["SYSTEMROOT", "COMSPEC", "PATHEXT", "TEMP", "TMP", "USERPROFILE", "APPDATA", "LOCALAPPDATA"],
  // A file of npm's settings for the whole machine, as HOME has the user's.
  "NPM_CONFIG_GLOBALCONFIG",
  "NODE_COMPILE_CACHE",
  // Switches of tests.
  ...["HISTORIES", "HISTORIES_SEED", "HISTORIES_PATH", "KILLS", "CASES", "SEED", "BUILT"],
];

/** How the machine reaches package registries. Clients of the API would use its proxy as well. */
const DOWNLOADS =
  /^(?:(?:https?|all|no)_proxy|npm_config_(?:registry|cafile|proxy|https_proxy|noproxy)|GO[A-Z]+|(?:PIP|SSL)_\w+|\w+_CA_(?:BUNDLE|CERTS))$/i;

/**
 * Returns an environment that is the same on every machine, but for its folders: it has a time zone and a locale, and no
 * settings of the provider, of Pulumi, of npm, of a CI host, or of a proxy.
 *
 * @param {Readonly<Record<string, string>>} [own] What to add.
 * @returns {NodeJS.ProcessEnv}
 */
export function environment(own = {}) {
  return { ...named((name) => SEEN.includes(name.toUpperCase())), TZ: "UTC", LANG: "C.UTF-8", ...own };
}

/** Returns the variables for a process that installs packages. */
export function downloads() {
  return named((name) => DOWNLOADS.test(name));
}

/** Takes everything else away from this process, and so from the tests, which it starts. */
export function clearEnvironment() {
  const clean = environment();
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, clean);
}

/** @param {(name: string) => boolean} wanted @returns {Record<string, string>} */
function named(wanted) {
  const all = Object.entries(process.env);
  return Object.fromEntries(all.flatMap(([name, value = ""]) => (wanted(name) ? [[name, value]] : [])));
}
