/** Cleaning takes time for each tag, attribute and entity, and most of all for tags left open. */
const TAGS_MAX = 2_000
const ATTRIBUTES_MAX = 5_000
const ENTITIES_MAX = 5_000

/** Why HTML is too large to be cleaned; undefined if it is not. The count is linear and errs high. */
export function whyTooLarge(html: string): string | undefined {
  let [tags, attributes, entities] = [0, 0, 0]
  let isInTag = false
  for (let at = 0; at < html.length; at++) {
    const character = html[at] ?? ''
    if (character === '<') {
      tags++
      isInTag = /[a-z/!?]/i.test(html[at + 1] ?? '')
    } else if (character === '>') isInTag = false
    else if (character === '&') entities++
    else if (isInTag && ' \t\r\n\f/'.includes(character)) attributes++
  }
  if (tags > TAGS_MAX) return `Use at most ${TAGS_MAX} tags; this has ${tags}.`
  if (attributes > ATTRIBUTES_MAX) return `Use at most ${ATTRIBUTES_MAX} attributes in all tags.`
  if (entities > ENTITIES_MAX) return `Use at most ${ENTITIES_MAX} entities such as &amp;.`
  return undefined
}
