import { type Content, checkContent as check, type Matches } from './settings.rules.ts'

/**
 * Checks values against their type and constraints. Patterns are a seller's, so they run in linear
 * time; the engine is loaded with the first one, for it is large.
 */
export async function checkContent(content: Content): Promise<void> {
  check(content, content.constraints.pattern === undefined ? noPattern : await re2())
}

const noPattern: Matches = () => undefined

async function re2(): Promise<Matches> {
  const { RE2JS } = await import('re2js')
  return (pattern, text) => {
    try {
      return RE2JS.compile(pattern).matcher(text).find()
    } catch {
      return undefined
    }
  }
}
