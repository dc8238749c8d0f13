import type { Json } from '../harness.ts'

// Replaces the parts of a recorded call that differ at each recording: ids, hashes, addresses and secrets.

const PREFIXED_ID = /\b([a-z]{2,8})_[0-9A-Za-z]{22}\b/g
const HASH = /^(?=.*[A-Za-z])[0-9A-Za-z]{12}$/
const HASH_FIELD = /^(hash|.*_hash|id|.*_id|.*_ids|product_ids)$/
const NUMBER_FIELD = /^(id|ids|into|.*_id|.*_ids)$/
const NUMBER = /^\d+$/
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/
/** The hashes of the first stores and products of a sample. */
const HASHES = ['a1B2c3D4e5F6', 'b2C3d4E5f6G7', 'c3D4e5F6g7H8', 'd4E5f6G7h8J9']
const DURATION_MS = 5
const RECORDED_AT = '2026-01-31T09:30:00.000Z'

/** Parts of texts that are random or count the calls of the process. `#` is the number of its occurrence. */
const PARTS: [RegExp, string][] = [
  [/http:\/\/127\.0\.0\.1:4100/g, 'https://shop.example.com'],
  [/game-shop-[a-z0-9]{4}\b/g, 'game-shop'],
  [/\bot_[\w-]{40,}/g, 'ot_EXAMPLE'],
  [/\/pay\/[\w-]{32}/g, '/pay/EXAMPLE'],
  [/\/(files|key-exports|photos)\/[\w.-]{30,}/g, '/$1/EXAMPLE'],
  [/\/callbacks\/(\w+)\/\w{12}\b/g, `/callbacks/$1/${HASHES[0]}`],
  [/\/r\/game-shop\/[a-z0-9]{10}\b/g, '/r/game-shop/ada'],
  [/whsec_[\w+/]{4}…/g, 'whsec_EXAM…'],
  [/\b\d{7,} seconds\b/g, '69850000 seconds'],
  [/\b[0-9a-f]{64}\b/g, '5257a869e7ecebed'.repeat(4)],
  [/\b(?:prepared|partner|applied|applicant|invited)-\d+@/g, 'person-#@'],
  [/\bcode-\d+\b/g, 'code-#'],
  [/\b(test|withdrawal|payment|refund|balance_entry)_\d+\b/g, '$1_#'],
]

/** Values for the fields that are random. No secret has the format of a real one. */
const FAKES: Record<string, string | number | boolean> = {
  secret: 'whsec_EXAMPLE',
  'affiliates.create_link code': 'ada',
  code: 'WELCOME10',
  external_id: '00000000-0000-4000-8000-000000000000',
  return_window_days: 30,
  subject: 'Order {{order_number}}',
  number: 1,
}

interface Masks {
  /** The replacements of texts, by text. */
  texts: Map<string, string>
  /** The numbers of ids, by kind and id. */
  numbers: Map<string, number>
}

/** Returns the sample with ids that are numbered by their first occurrence. */
export function maskedSample(sample: Json): Json {
  const masks: Masks = { texts: new Map(), numbers: new Map() }
  collectHashes(sample, masks.texts)
  return maskValue(masks, sample, { name: '', parent: '' })
}

function maskValue(masks: Masks, value: Json, at: { name: string; parent: string }): Json {
  if (Array.isArray(value)) return value.map((item) => maskValue(masks, item, at))
  if (value !== null && typeof value === 'object') {
    const entries = Object.entries(value).map(([name, item]) => [
      maskText(masks, name),
      maskValue(masks, item, { name, parent: at.name }),
    ])
    return Object.fromEntries(entries)
  }
  // Two durations may be equal, so they do not count as random.
  if (at.name.endsWith('duration_ms') && value !== null) return DURATION_MS
  const isId = NUMBER_FIELD.test(at.name)
  if (isId && typeof value === 'number') return numberOf(masks, kindOf(at), value)
  if (isId && NUMBER.test(String(value))) return String(numberOf(masks, kindOf(at), value))
  return typeof value === 'string' ? maskText(masks, value) : value
}

/** A record and the fields that name it have the same kind: `variants[].id` and `variant_id`. */
const kindOf = ({ name, parent }: { name: string; parent: string }): string =>
  (name === 'id' || name === 'ids' ? parent : name.replace(/_ids?$/, ''))
    .replace(/ies$/, 'y')
    .replace(/s$/, '')

function numberOf({ numbers }: Masks, kind: string, id: number | string): number {
  const key = `${kind} ${id}`
  const ofKind = [...numbers.keys()].filter((other) => other.startsWith(`${kind} `)).length
  if (!numbers.has(key)) numbers.set(key, ofKind + 1)
  return numbers.get(key) ?? 0
}

function maskText({ texts }: Masks, text: string): string {
  let masked = text
  for (const [hash, fake] of texts) {
    if (HASH.test(hash)) masked = masked.replaceAll(hash, fake)
  }
  masked = masked.replace(PREFIXED_ID, (id, prefix: string) => {
    const position = String([...texts.keys()].filter((key) => !HASH.test(key)).length)
    const fake = texts.get(id) ?? `${prefix}_0350${position.padStart(18, '0')}`
    texts.set(id, fake)
    return fake
  })
  for (const [part, fake] of PARTS) {
    masked = masked.replace(part, (match, ...groups) => {
      const filled = fake.replace('$1', String(groups[0]))
      if (!filled.includes('#')) return filled
      const earlier = [...texts.values()].filter((other) =>
        other.startsWith(filled.split('#')[0] ?? ''),
      )
      const numbered = texts.get(match) ?? filled.replace('#', String(earlier.length + 1))
      texts.set(match, numbered)
      return numbered
    })
  }
  return masked
}

/** Adds the hashes of stores and products in the sample. */
function collectHashes(value: Json, texts: Map<string, string>, name = ''): void {
  if (value !== null && typeof value === 'object') {
    for (const [key, item] of Object.entries(value))
      collectHashes(item, texts, Array.isArray(value) ? name : key)
  } else if (typeof value === 'string' && HASH_FIELD.test(name) && HASH.test(value)) {
    if (!texts.has(value)) texts.set(value, HASHES[texts.size] ?? '')
  }
}

/** Returns the sample with fakes instead of values that differ in another recording of the same call. */
export function withFakes(id: string, sample: Json, other: Json, name = ''): Json {
  if (JSON.stringify(sample) === JSON.stringify(other)) return sample
  if (
    sample !== null &&
    typeof sample === 'object' &&
    other !== null &&
    typeof other === 'object'
  ) {
    const entries = Object.entries<Json>(sample).map(([key, value]) => [
      key,
      withFakes(id, value, other[key], Array.isArray(sample) ? name : key),
    ])
    return Array.isArray(sample) ? entries.map(([, value]) => value) : Object.fromEntries(entries)
  }
  const fake = TIME.test(String(sample)) ? RECORDED_AT : (FAKES[`${id} ${name}`] ?? FAKES[name])
  if (fake === undefined)
    throw new Error(
      `${id}: ${name} is ${sample}, and in another recording ${other}. Add a fake for it.`,
    )
  return fake
}
