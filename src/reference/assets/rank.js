/**
 * Returns the entries that contain every word of the search text: first the entries whose title begins with
 * the text, then the entries whose title contains every word. The server and the browser share this file.
 *
 * @template {{ title: string, about: string, kind: string }} E
 * @param {readonly E[]} entries @param {string} searchText @returns {E[]}
 */
export function rank(entries, searchText) {
  const query = searchText.trim().toLowerCase()
  const words = query.split(/[\s_.]+/).filter(Boolean)
  if (words.length === 0) return []
  /** @param {E} entry */
  const scoreOf = ({ title, about, kind }) => {
    const name = title.toLowerCase()
    if (!words.every((word) => `${name} ${about} ${kind}`.toLowerCase().includes(word))) return 0
    if (name === query) return 4
    if (name.startsWith(query)) return 3
    return words.every((word) => name.includes(word)) ? 2 : 1
  }
  return entries
    .map((entry) => ({ entry, score: scoreOf(entry) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ entry }) => entry)
}
