import { isDeepStrictEqual } from "node:util";
import {
  ENVIRONMENT,
  mistypedSettings,
  parseConnection,
  resolveSettings,
  type Settings,
} from "../../shared/configuration/settings.js";
import { isUnknown, type Properties, revealAll, secret } from "../../shared/protocol/encoded-values.js";

export interface Checked {
  readonly inputs: Properties;
  /** Each by the property that it is about; "" where its value must not be shown. */
  readonly failures: readonly { readonly property: string; readonly reason: string }[];
}

/** Checks a provider's inputs. A missing one may still come. */
export function checkConfiguration(news: Properties): Checked {
  const inputs = { ...news };
  if (inputs.accessToken !== undefined) inputs.accessToken = secret(revealAll(inputs.accessToken));
  const mistyped = mistypedSettings(Object.keys(news)).map(({ name, nearest, warning }) => ({
    property: nearest === "accessToken" ? "" : name,
    reason: warning,
  }));
  const { problems } = parseConnection((name) => settingIn(news, name), {});
  const failures = problems
    .filter(({ setting, kind }) => kind !== "missing" && !isUnknown(news[setting]))
    .map(({ setting, words }) => ({
      property: setting === "accessToken" ? "" : setting,
      reason: `buildpipeline:${setting} (or ${ENVIRONMENT[setting]}) ${words}.`,
    }));
  return { inputs, failures: [...mistyped, ...failures] };
}

/** Returns whether settings changed. None of them replaces the provider: its resources have guards of their own. */
export function isReconfigured(olds: Properties, news: Properties): boolean {
  return !isDeepStrictEqual(revealAll(olds), revealAll(news));
}

/** Returns the settings that a provider is to work by. Undefined while one of them is not known. */
export function configuredSettings(inputs: Properties): Settings | undefined {
  if (isUnknown(inputs)) return undefined;
  return resolveSettings((name) => settingIn(inputs, name), process.env);
}

/** Returns a setting as text, whatever a program gave: `allowOrganizationChange` may be a boolean. */
function settingIn(inputs: Properties, name: keyof Settings): string | undefined {
  const value = revealAll(inputs[name]);
  return value === undefined || value === null ? undefined : String(value);
}
