/** The limits bound the time of cleaning, which grows with each tag, attribute and entity. */
const TAGS_MAX = 2_000
const ATTRIBUTES_MAX = 5_000
const ENTITIES_MAX = 5_000

/** Returns why HTML is too large to be cleaned; undefined if it is not. The counts are upper bounds. */
export function problemOfHtml(html: string): string | undefined {
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
  for (let index = 0; index < html.length; index++) {
    const character = html[index] ?? ''
    if (character === '<') isInTag = /[a-z!?]/i.test(html[index + 1] ?? '')
    else if (character === '>') isInTag = false
    else if (isInTag && ' \t\r\n\f/'.includes(character)) count++
    else if (isInTag && html[index - 1] === '=') index = endOfValue(html, index)
  }
  return count
}

/**
 * Returns the index of the last character of an attribute value. An unquoted value is not skipped, so
 * its slashes count as separators.
 */
function endOfValue(html: string, start: number): number {
  const quote = html[start] ?? ''
  if (quote !== '"' && quote !== "'") return start
  const end = html.indexOf(quote, start + 1)
  return end === -1 ? html.length : end
}
