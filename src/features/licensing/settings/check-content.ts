import { countInstructions, INSTRUCTIONS_MAX, STEPS_MAX } from './pattern-cost.rules.ts'
import { checkContent as check, type Matches, type SettingContent } from './settings.rules.ts'

/**
 * Checks values against their type and constraints. Sellers write the patterns, so RE2 matches them in
 * linear time.
 */
export async function checkContent(content: SettingContent): Promise<void> {
  check(content, content.constraints.pattern === undefined ? noPattern : await re2())
}

const noPattern: Matches = () => undefined

/** A server loads it before it listens, as it is large (decision 247). */
export const loadPatterns = () => import('re2js')

async function re2(): Promise<Matches> {
  const { RE2JS } = await loadPatterns()
  return (pattern, text) => {
    if (countInstructions(pattern) > INSTRUCTIONS_MAX) return 'too costly'
    try {
      const compiled = RE2JS.compile(pattern)
      if (compiled.programSize() * text.length > STEPS_MAX) return 'too costly'
      return compiled.matcher(text).find()
    } catch {
      return undefined
    }
  }
}
