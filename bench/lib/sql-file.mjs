import { readFile } from 'node:fs/promises'

/**
 * Returns the text of `<name>.sql` in this folder, with `:key` replaced by the value of each parameter.
 *
 * @param {string} name
 * @param {Record<string, string | number>} parameters
 */
export async function readSqlFile(name, parameters) {
  let script = await readFile(new URL(`./${name}.sql`, import.meta.url), 'utf8')
  for (const [key, value] of Object.entries(parameters)) {
    script = script.replaceAll(`:${key}`, String(value))
  }
  return script
}

/**
 * Splits a script into its statements, because `vacuum` must be the only statement of its query.
 *
 * @param {string} script
 */
export const splitStatements = (script) =>
  script.split(';').filter((statement) => statement.trim() !== '')
