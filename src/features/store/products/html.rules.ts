/** Cleaning takes time for each tag, attribute and entity, and most of all for tags left open. */
const TAGS_MAX = 2_000
const ATTRIBUTES_MAX = 5_000
const ENTITIES_MAX = 5_000

/** Why HTML is too large to be cleaned; undefined if it is not. The counts are linear and err high. */
export function whyTooLarge(html: string): string | undefined {
  const tags = html.split('<').length - 1
  if (tags > TAGS_MAX) return `Use at most ${TAGS_MAX} tags; this has ${tags}.`
  if (countAttributes(html) > ATTRIBUTES_MAX)
    return `Use at most ${ATTRIBUTES_MAX} attributes in all tags.`
  if (html.split('&').length - 1 > ENTITIES_MAX)
    return `Use at most ${ENTITIES_MAX} entities such as &amp;.`
  return undefined
}

/** Counts the separators of attributes, outside of quoted values. */
function countAttributes(html: string): number {
  let count = 0
  let isInTag = false
  for (let at = 0; at < html.length; at++) {
    const character = html[at] ?? ''
    if (character === '<') isInTag = /[a-z!?]/i.test(html[at + 1] ?? '')
    else if (character === '>') isInTag = false
    else if (isInTag && ' \t\r\n\f/'.includes(character)) count++
    else if (isInTag && html[at - 1] === '=') at = endOfValue(html, at)
  }
  return count
}

/** A value that is not quoted ends where it begins: its slashes count. */
function endOfValue(html: string, start: number): number {
  const quote = html[start] ?? ''
  if (quote !== '"' && quote !== "'") return start
  const end = html.indexOf(quote, start + 1)
  return end === -1 ? html.length : end
}
