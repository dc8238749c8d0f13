// Refuses wording that docs/STYLE.md retires: comments and descriptions of the API that begin with a bare
// relative clause, names that docs/WORDS.md has replaced, and metaphors, in test titles too. Takes git pathspecs. Prints each finding as
// file:line, and exits 1 if there is one.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import ts from 'typescript'

/** A comment or a bullet never begins with one of these words as its subject. */
const OPENINGS = /^(What|Who|Whoever|Whether|Where|Of|Nobody|Somebody)\b(?!.*\?$)/

/** Nor does a description of a field or call, where a relative clause has no sentence to belong to. */
const DESCRIPTION_OPENINGS = /^(What|Who|Whose|Whoever|Whether|Where|Of|Nobody|Somebody)\b/

/** Names that were replaced, and what to write. They are refused as whole words of an identifier. */
const RETIRED = {
  Shop: 'StoreContext',
  Shelf: 'Grouping, Category or Group',
  Shelves: 'Groupings',
  Turnstile: 'ConcurrencyLimit',
  Gate: 'Authentication',
  Front: 'EarlyListener',
  Weigh: 'evaluate',
  Seat: 'device',
  Forget: 'prune or delete',
  Heard: 'received, or the noun',
  Hearing: 'subscribed',
  Settle: 'runDue, payInFull, or the act',
  Stray: 'unmatched, unlisted',
  Leisure: 'in the background',
}

/** Metaphors for structure in comments and documents, and what to write. */
const METAPHORS = [
  [/\bfront doors?\b/i, 'index.ts, or public exports'],
  [
    /\b(the|a|its|each|every|which) (rooms?|floors?|doors?|cellars?|street side|hall)\b/i,
    'module, boundary, layer',
  ],
  [/\b(the|this) house\b/i, 'the codebase'],
  [/\bturnstiles?\b/i, 'concurrency limit'],
  [/\bshelf\b|\bshelves\b/i, 'category or group'],
  [/\bby hand\b/i, 'manual, manually'],
  [/\bof itself\b|\bby itself\b/i, 'automatically'],
  [/\bnone the less\b/i, 'anyway'],
  [/\b(is|are|was|were) told of\b|\btells? of\b/i, 'is subscribed to, reports, emits'],
  [/\bnobody is\b|\bis nobody['’]s\b/i, 'name the subject'],
  [/\b(hears?|heard) (of|nothing)\b/i, 'is subscribed to, receives, is mailed'],
  [/\btells? (nobody|nothing|once)\b/i, 'emits'],
  [/\b(nobody|somebody) (waits|listens)\b/i, 'name the caller, the receiver or the delivery'],
  [/\b(a|the|each|first|second|next|last|seven|running) tr(y|ies)\b(?! to\b)(?!-)/i, 'attempt'],
  [/\b(writes?|written|wrote) down\b/i, 'record, recorded'],
  [/\bwhat becomes? of\b|\bwhat became of\b/i, 'the result, the outcome'],
  [/\ball the same\b/i, 'anyway'],
  [/\b(lets?|letting) go of\b/i, 'release'],
  [/\bunless told otherwise\b/i, 'by default'],
  [/\b(stand|stands|stood) (beside|there)\b/i, 'is next to, is listed'],
  [/\bgoes and\b|\bhence\b|\bthereof\b|\bwhereof\b/i, 'so'],
]

const files = spawnSync('git', ['ls-files', '--', ...process.argv.slice(2)], { encoding: 'utf8' })
  .stdout.split('\n')
  .filter(
    (file) =>
      file !== 'scripts/check-language.mjs' &&
      !/\.gen\.ts$|^docs\/decisions\/.*-old/.test(file) &&
      existsSync(file),
  )

let findings = 0

for (const file of files) {
  if (/\.(ts|tsx|mjs|cjs)$/.test(file)) checkCode(file)
  else if (file.endsWith('.md')) checkDocument(file)
}
process.stdout.write(
  findings === 0 ? 'language: no findings\n' : `language: ${findings} findings\n`,
)
process.exitCode = findings === 0 ? 0 : 1

/** @param {string} file */
function checkCode(file) {
  const text = readFileSync(file, 'utf8')
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const seen = new Set()
  /** @param {import('typescript').Node} node */
  const visit = (node) => {
    if (ts.isIdentifier(node)) checkName(node)
    const description = descriptionOf(node)
    if (description) checkDescription(description)
    const title = titleOf(node)
    if (title) {
      const line = source.getLineAndCharacterOfPosition(title.getStart()).line + 1
      checkMetaphors(file, line, title.text)
    }
    for (const { pos, end } of ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []) {
      if (seen.has(pos)) continue
      seen.add(pos)
      const comment = text
        .slice(pos, end)
        .replace(/^\/\*\*?|\*\/$|^\/\//g, '')
        .replace(/\n\s*\*/g, '\n')
        .trim()
      checkSentences(file, source.getLineAndCharacterOfPosition(pos).line + 1, comment)
    }
    ts.forEachChild(node, visit)
  }
  /** @param {import('typescript').Identifier} node */
  const checkName = (node) => {
    for (const [name, instead] of Object.entries(RETIRED)) {
      const at = new RegExp(`(^${name[0]?.toLowerCase()}|${name[0]})${name.slice(1)}(?![a-z])`)
      if (at.test(node.text)) {
        report(
          file,
          source.getLineAndCharacterOfPosition(node.getStart()).line + 1,
          `${node.text}: use ${instead}`,
        )
      }
    }
  }
  /** @param {import('typescript').StringLiteralLike} node */
  const checkDescription = (node) => {
    const opening = DESCRIPTION_OPENINGS.exec(node.text)
    const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1
    checkMetaphors(file, line, node.text)
    if (!opening) return
    report(file, line, `begins with "${opening[1]}": put the subject first`)
  }
  visit(source)
}

/**
 * The text of `.describe('…')` or `description: '…'`.
 * @param {import('typescript').Node} node
 */
function descriptionOf(node) {
  const value =
    ts.isCallExpression(node) &&
    ts.isPropertyAccessExpression(node.expression) &&
    node.expression.name.text === 'describe'
      ? node.arguments[0]
      : ts.isPropertyAssignment(node) && /^(description|summary)$/.test(node.name.getText())
        ? node.initializer
        : undefined
  return value && ts.isStringLiteralLike(value) ? value : undefined
}

/**
 * The title of `test('…')`, `describe('…')` and their variants.
 * @param {import('typescript').Node} node
 */
function titleOf(node) {
  if (!ts.isCallExpression(node) || !/^(test|describe)\b/.test(node.expression.getText())) return
  const title = node.arguments[0]
  return title && ts.isStringLiteralLike(title) ? title : undefined
}

/** @param {string} file */
function checkDocument(file) {
  for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    // A heading may be a question, such as "What you get".
    if (line.startsWith('#')) continue
    checkSentences(file, index + 1, line.replace(/^[\s>*#|-]+|`[^`]*`/g, ''))
  }
}

/** @param {string} file @param {number} line @param {string} text */
function checkSentences(file, line, text) {
  const opening = OPENINGS.exec(text.split('\n')[0] ?? '')
  if (opening) report(file, line, `begins with "${opening[1]}": put the subject first`)
  checkMetaphors(file, line, text)
}

/** @param {string} file @param {number} line @param {string} text */
function checkMetaphors(file, line, text) {
  for (const [pattern, instead] of METAPHORS) {
    const found = pattern.exec(text.replace(/`[^`]*`/g, ''))
    if (found) report(file, line, `"${found[0]}": write ${instead}`)
  }
}

/** @param {string} file @param {number} line @param {string} what */
function report(file, line, what) {
  findings++
  process.stdout.write(`${file}:${line}: ${what}\n`)
}
