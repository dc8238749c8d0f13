// Finds wording that docs/STYLE.md forbids in the files of the given git pathspecs: comments and API
// descriptions that begin with a relative clause, names that docs/WORDS.md replaced, and metaphors. Prints each
// finding with its file and line, and exits with 1 if there is one.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import ts from 'typescript'

/** The words with which a comment or a bullet must not begin. */
const OPENINGS = /^(What|Who|Whoever|Whether|Where|Of|Nobody|Somebody)\b(?!.*\?$)/

/** The words with which a description in the API must not begin. */
const DESCRIPTION_OPENINGS = /^(What|Who|Whose|Whoever|Whether|Where|Of|Nobody|Somebody)\b/

/** Names that were replaced, with their replacements. They are refused as whole words of an identifier. */
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

/**
 * Names that do not say what they hold, with replacements. They are refused as the whole name of a
 * declaration of the server and its programs.
 */
const VAGUE_NAMES = {
  asked: 'requested, prepared, or the noun',
  given: 'options, signature, or the noun',
  heard: 'received',
  noted: 'logged, recorded, logFailure',
  one: 'item, first, or the noun',
  place: 'slot, position, setup',
  places: 'slots, positions',
  room: 'capacity',
  settled: 'completed, recorded',
  talk: 'progress, output',
  told: 'events, details, logged',
}

/** Metaphors and idioms in comments and documents, with replacements. */
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
  [/\bnext door\b/i, 'another store'],
  [/\bin no time\b/i, 'at once'],
  [/\b(come|comes|came) about\b/i, 'happens, becomes true'],
  [/\bat leisure\b/i, 'in the background'],
  [/\bby its (name|field)\b/i, 'and the field is named'],
  [/\bin clear\b/i, 'in plain text'],
  [/\bno sooner\b/i, 'not earlier'],
  [/\bso many (as|orders|events|days|mugs|attempts)\b/i, 'this many'],
  [/\bthan before it\b|\bof its own accord\b/i, 'automatically'],
  [/\bthe (shop|store) is (open|closed)\b/i, 'the server runs'],
  [/\bgives? up the ghost\b|\bthinks? better of\b/i, 'the act'],
  [/\bturnkey\b|\bneighbou?r's\b/i, 'another store'],
  [/\bis sound\b/i, 'has no findings'],
  [/\ball that there (is|are)\b/i, 'all, every'],
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
  const checkedComments = new Set()
  const checksDeclarations =
    /^(src|bench|scripts|bin|examples)\//.test(file) && !/\.(test|fixture)\.ts$/.test(file)
  /** @param {import('typescript').Node} node */
  const lineOf = (node) => source.getLineAndCharacterOfPosition(node.getStart()).line + 1
  /** @param {import('typescript').Node} node */
  const visit = (node) => {
    if (ts.isIdentifier(node)) checkName(node)
    if (checksDeclarations) checkDeclaration(node)
    const description = descriptionOf(node)
    if (description) checkDescription(description)
    const title = titleOf(node)
    if (title) checkMetaphors(file, lineOf(title), title.text)
    for (const { pos, end } of ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []) {
      if (checkedComments.has(pos)) continue
      checkedComments.add(pos)
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
    for (const [name, replacement] of Object.entries(RETIRED)) {
      const word = new RegExp(`(^${name[0]?.toLowerCase()}|${name[0]})${name.slice(1)}(?![a-z])`)
      if (word.test(node.text)) report(file, lineOf(node), `${node.text}: use ${replacement}`)
    }
  }
  /** @param {import('typescript').Node} node */
  const checkDeclaration = (node) => {
    const { name } = /** @type {{ name?: import('typescript').Node }} */ (node)
    if (!name || !ts.isIdentifier(name) || ts.isPropertyAccessExpression(node)) return
    if (!Object.hasOwn(VAGUE_NAMES, name.text)) return
    const replacement = VAGUE_NAMES[/** @type {keyof typeof VAGUE_NAMES} */ (name.text)]
    report(file, lineOf(name), `${name.text}: use ${replacement}`)
  }
  /** @param {import('typescript').StringLiteralLike} node */
  const checkDescription = (node) => {
    const opening = DESCRIPTION_OPENINGS.exec(node.text)
    checkMetaphors(file, lineOf(node), node.text)
    if (opening) report(file, lineOf(node), `begins with "${opening[1]}": put the subject first`)
  }
  visit(source)
}

/**
 * Returns the literal of `.describe('…')` or `description: '…'`.
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
 * Returns the literal of the title of `test('…')`, `describe('…')` and their variants.
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
  for (const [pattern, replacement] of METAPHORS) {
    const match = pattern.exec(text.replace(/`[^`]*`/g, ''))
    if (match) report(file, line, `"${match[0]}": write ${replacement}`)
  }
}

/** @param {string} file @param {number} line @param {string} finding */
function report(file, line, finding) {
  findings++
  process.stdout.write(`${file}:${line}: ${finding}\n`)
}
