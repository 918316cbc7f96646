// Reads recorded HTTP traffic: files of VCR (https://github.com/vcr/vcr), as many clients' tests have them.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import * as z from "zod";
import { Problem } from "../../../tools/dev/command.mjs";

const body = z
  .object({ string: z.string().nullish(), base64_string: z.string().nullish() })
  .transform(({ string, base64_string: encoded }) =>
    encoded ? Buffer.from(encoded, "base64").toString("utf8") : (string ?? ""),
  );

const cassette = z.object({
  http_interactions: z.array(
    z.object({
      request: z.object({ method: z.string(), uri: z.url(), body: body.optional() }),
      response: z.object({
        status: z.object({ code: z.int() }),
        headers: z.record(z.string(), z.array(z.string())).nullish(),
        body: body.optional(),
      }),
      recorded_at: z.string(),
    }),
  ),
});

/**
 * A request and its response, as somebody recorded them.
 *
 * @typedef {object} Recording
 * @property {string} file Path in the folder.
 * @property {string} method In capitals.
 * @property {URL} url
 * @property {unknown} sent The request's JSON body; undefined where there is none.
 * @property {number} status
 * @property {string | undefined} contentType
 * @property {string} text Body of the response.
 * @property {string} date Day of the recording, such as `2023-08-20`.
 */

/**
 * Returns all recordings in a folder and in folders in it.
 *
 * @param {string} folder
 * @returns {Recording[]}
 */
export function readRecordings(folder) {
  const files = globSync("**/*.{yml,yaml}", { cwd: folder }).sort();
  const recordings = files.flatMap((file) => {
    const parsed = cassette.safeParse(parse(readFileSync(join(folder, file), "utf8")));
    if (!parsed.success) return [];
    return parsed.data.http_interactions.map(({ request, response, recorded_at }) => {
      const [type] =
        Object.entries(response.headers ?? {}).find(([name]) => /^content-type$/i.test(name)) ?? [];
      return {
        file,
        method: request.method.toUpperCase(),
        url: new URL(request.uri),
        sent: request.body ? JSON.parse(request.body) : undefined,
        status: response.status.code,
        contentType: type && response.headers?.[type]?.[0],
        text: response.body ?? "",
        date: new Date(recorded_at).toISOString().slice(0, 10),
      };
    });
  });
  if (recordings.length > 0) return recordings;
  throw new Problem(
    `${folder} has no recordings: no .yml file in it has http_interactions, as VCR writes them.`,
  );
}
