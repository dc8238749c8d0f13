import { checkContent as check, type Matches, type SettingContent } from './settings.rules.ts'

/**
 * Checks values against their type and constraints. Sellers write the patterns, so RE2 matches them in
 * linear time. It is large and is loaded with the first pattern.
 */
export async function checkContent(content: SettingContent): Promise<void> {
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
