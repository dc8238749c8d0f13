import { RE2JS } from 're2js'
import { expect, test } from 'vitest'
import { countInstructions } from './pattern-cost.rules.ts'

test.each([
  '^https://',
  '^[a-z0-9-]{1,64}$',
  '((a?b?){30}){30}[cd]',
  '([ab]{1,30}){1,30}[cd]',
  String.raw`(\pL\p{Greek}[^\]x]){100}`,
  `(${'a?'.repeat(100)}){100}`,
])(
  'the estimate for %s is at least a third of the executed instructions, and at most three times as many',
  (pattern) => {
    const instructions = RE2JS.compile(pattern).programSize()
    expect(countInstructions(pattern)).toBeGreaterThan(instructions / 3)
    expect(countInstructions(pattern)).toBeLessThan(instructions * 3 + 10)
  },
)
