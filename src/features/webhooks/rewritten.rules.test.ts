import { expect, test } from 'vitest'
import { rewrittenBodies } from './rewritten.rules.ts'

const BODY = '{"b":"ü/<b>","a":[1.5,{"c":null}]}'

// Each as the program named there writes it.
test.each([
  ["Python's json.dumps", '{"b": "\\u00fc/<b>", "a": [1.5, {"c": null}]}'],
  ["Python's json.dumps with ensure_ascii=False", '{"b": "ü/<b>", "a": [1.5, {"c": null}]}'],
  ["PHP's json_encode", '{"b":"\\u00fc\\/<b>","a":[1.5,{"c":null}]}'],
  ["Go's json.Marshal", '{"a":[1.5,{"c":null}],"b":"ü/\\u003cb\\u003e"}'],
  ['a writer that sorts the keys', '{"a":[1.5,{"c":null}],"b":"ü/<b>"}'],
  [
    'a writer that indents by two spaces',
    '{\n  "b": "ü/<b>",\n  "a": [\n    1.5,\n    {\n      "c": null\n    }\n  ]\n}',
  ],
  [
    'a writer that indents by four spaces',
    '{\n    "b": "ü/<b>",\n    "a": [\n        1.5,\n        {\n            "c": null\n        }\n    ]\n}',
  ],
  [
    'a writer that makes a string of the string',
    '"{\\"b\\":\\"ü/<b>\\",\\"a\\":[1.5,{\\"c\\":null}]}"',
  ],
  ['a line break at its end', `${BODY}\n`],
])('%s', (by, text) => {
  expect(rewrittenBodies(BODY)).toContainEqual({ by, text })
})

test('what leaves the bytes as they are is not named', () => {
  expect(rewrittenBodies('[1]').map(({ by }) => by)).toEqual([
    'a writer that indents by two spaces',
    'a writer that indents by four spaces',
    'a writer that makes a string of the string',
    'a line break at its end',
  ])
})
