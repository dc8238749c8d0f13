import { countInstructions, INSTRUCTIONS_MAX, STEPS_MAX } from './pattern-cost.rules.ts'
import { checkContent, type Matches, type SettingContent } from './settings.rules.ts'

/**
 * Checks values against their type and constraints. Patterns are matched with RE2 in linear time, because
 * sellers write them.
 */
export async function checkSetting(content: SettingContent): Promise<void> {
  checkContent(
    content,
    content.constraints.pattern === undefined ? matchesNoPattern : await loadMatches(),
  )
}

const matchesNoPattern: Matches = () => undefined

/** Loads RE2. It is large, so a server loads it when it is ready (decision 451). */
export const loadRe2 = () => import('re2js')

/** Returns the function that matches patterns with RE2. */
async function loadMatches(): Promise<Matches> {
  const { RE2JS } = await loadRe2()
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
