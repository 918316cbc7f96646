import type { Settings } from "../configuration/settings.js";
import { withProvider } from "../inventory/kinds.js";
import { SECRETS, secretNames } from "../protocol/properties.js";
import { findForImportFile, mismatches } from "../provider/imports/import-option.js";
import { type ImportedState, importedState } from "../provider/imports/imported-state.js";
import { observerOf } from "../provider/missing/marks.js";
import { Session } from "../provider/run/session.js";
import { kindNamed } from "../provider/values/kinds.js";
import type { Arguments } from "../resources/value-roles.js";
import { isMasked } from "./declared-resources.js";

/** An object that a resource of a program is to be. */
interface Importable {
  readonly id: string;
  readonly state: ImportedState;
  /** Each value of the program that differs from the service's. */
  readonly differences: readonly string[];
  /** Masked arguments that the service does not return either. */
  readonly unknownAtImport: readonly string[];
}

/** Finds objects of one service by the names that the option `import` takes. They share lists. */
export class ImportableObjects {
  readonly #session: Session;

  constructor(settings: Settings) {
    this.#session = new Session(settings);
  }

  /**
   * @param declared what the program says, with the provider's defaults; a masked secret counts as what the service has
   * @throws when nothing has the name, or several have it
   */
  async find(kindName: string, name: string, declared: Arguments): Promise<Importable> {
    const kind = kindNamed(kindName);
    if (kind === undefined) throw new Error(`There is no kind ${kindName}.`);
    const { organization } = this.#session.settings;
    const { observed, id } = await findForImportFile(this.#session.service, { organization, kind, name });
    const hidden = new Set(Object.keys(declared).filter((argument) => isMasked(declared[argument])));
    // The completed inputs list all secrets, unless a value that is not known yet may be one.
    const secrets = new Set([...secretNames(declared), ...hidden]);
    const shown = Object.entries(declared).filter(([argument]) => !hidden.has(argument));
    const said = { ...Object.fromEntries(shown), ...(secrets.size > 0 && { [SECRETS]: [...secrets] }) };
    const differences = await mismatches(kind, said, observed, {
      ignored: hidden,
      mayQuote: (argument) => !secrets.has(argument),
    });
    const observer = await observerOf(this.#session.service, kind, observed);
    const state = withProvider(kind, importedState(kind, organization, said, { observed, observer }));
    const unknownAtImport = [...hidden].filter((argument) => observed[argument] === undefined);
    return { id, state, differences, unknownAtImport };
  }

  close(): Promise<void> {
    return this.#session.service.context(this.#session.settings.organization).client.close();
  }
}
