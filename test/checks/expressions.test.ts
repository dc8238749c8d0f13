import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkSync } from 'recheck'
import ts from 'typescript'
import { expect, test } from 'vitest'

/**
 * Callers choose most texts that the program matches. An expression whose time grows with the square of the text lets
 * one call stop the process for seconds, so none may be one, except on texts that no caller chooses or that are short.
 */

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Expressions that are not proved to be linear, with the reason why they may stay. */
const EXCEPTIONS: Record<string, Record<string, string>> = {
  'dashboard/src/kit/csv-text.ts': {
    [String.raw`/^-(\p{Sc}|[A-Z]{3}\s)?[\d.,\s]+(\p{Sc}|[A-Z]{3})?$/u`]:
      'It is matched at the beginning only, and has one repetition.',
  },
  'dashboard/src/text/catalogue.ts': {
    [String.raw`/\{(\w+)(?::([^|}]*)\|([^}]*))?\}/g`]: 'It is matched against our own texts.',
  },
  'sdk/client-security/index.ts': {
    [String.raw`/\/+$/`]: 'It is matched against the address that the program is configured with.',
  },
  'sdk/client-security/verify.ts': {
    [String.raw`/"keys":(\[[^\]]*\]),"signature":/`]: 'It is matched against a list of few keys.',
  },
  'src/config/config.ts': {
    [String.raw`/\/+$/`]: 'It is matched against the configuration.',
    [String.raw`/^(?![^:]+:\d+$)[a-z0-9._:[\]-]+$/`]: 'It is matched against the configuration.',
  },
  'src/db/failure.ts': {
    [String.raw`/\)=\(\d+, (.*)\) already exists/s`]: 'A value of an index is at most 2,700 bytes.',
  },
  'src/features/licensing/settings/pattern-cost.rules.ts': {
    [String.raw`/\[\^?\]?[^\]]*\]/g`]: 'The length of a pattern is limited before.',
  },
  'src/http/name-missing.rules.ts': {
    [String.raw`/([a-z-]+)\/:(\w+)/g`]: 'It is matched against the paths of our endpoints.',
  },
  'src/kernel/ids.ts': {
    [String.raw`/^(?=.*[A-Za-z])[0-9A-Za-z]{12}$/`]:
      'It is matched at the beginning only, and has one repetition.',
  },
  'src/kernel/slug.ts': {
    [String.raw`/^-+|-+$/g`]: 'The text has at most 100 characters.',
  },
  'src/surfaces/dashboard/app-files.ts': {
    [String.raw`/\s*<link [^>]*data-page="home"[^>]*>/g`]: 'It is matched against our own page.',
  },
}
/** The reference is built from our own texts when the program starts. */
const OWN_TEXTS = /^src\/reference\//

/** A slow expression may need longer to be proved on a busy machine; it is decided by steps, not by time. */
const PROOF = { checker: 'automaton', timeout: 600_000 } as const

const files = execFileSync('git', ['ls-files', 'src', 'sdk', 'dashboard/src'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /\.tsx?$/.test(file) && !/\.(?:test|fixture)\.ts$/.test(file))
  .filter((file) => !OWN_TEXTS.test(file))

/** Returns the regular expressions in a file, as they are written. */
function expressionsIn(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8')
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest)
  const found: string[] = []
  const visit = (node: ts.Node) => {
    if (ts.isRegularExpressionLiteral(node)) found.push(node.text)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

const isProved = new Map<string, boolean>()

function isLinear(expression: string): boolean {
  const end = expression.lastIndexOf('/')
  const known = isProved.get(expression)
  if (known !== undefined) return known
  const { status } = checkSync(expression.slice(1, end), expression.slice(end + 1), PROOF)
  isProved.set(expression, status === 'safe')
  return status === 'safe'
}

test('the time of each expression grows with the length of the text, and not with its square', () => {
  const slow = files.flatMap((file) =>
    expressionsIn(file)
      .filter((expression) => !EXCEPTIONS[file]?.[expression] && !isLinear(expression))
      .map((expression) => `${file}: ${expression}`),
  )
  expect(slow).toEqual([])
})

test('each exception is still there', () => {
  const gone = Object.entries(EXCEPTIONS).flatMap(([file, reasons]) => {
    const expressions = files.includes(file) ? expressionsIn(file) : []
    return Object.keys(reasons).filter((expression) => !expressions.includes(expression))
  })
  expect(gone).toEqual([])
})
