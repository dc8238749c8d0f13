import { expect, test } from 'vitest'
import { rewrittenBodies } from './rewritten-bodies.rules.ts'

const BODY = '{"b":"ü/<b>","a":[1.5,{"c":null}]}'

test.each([
  [
    "was parsed and serialized again, as by Python's json.dumps",
    '{"b": "\\u00fc/<b>", "a": [1.5, {"c": null}]}',
  ],
  [
    "was parsed and serialized again, as by Python's json.dumps with ensure_ascii=False",
    '{"b": "ü/<b>", "a": [1.5, {"c": null}]}',
  ],
  [
    "was parsed and serialized again, as by PHP's json_encode",
    '{"b":"\\u00fc\\/<b>","a":[1.5,{"c":null}]}',
  ],
  [
    "was parsed and serialized again, as by Go's json.Marshal",
    '{"a":[1.5,{"c":null}],"b":"ü/\\u003cb\\u003e"}',
  ],
  ['was parsed and serialized again, with sorted keys', '{"a":[1.5,{"c":null}],"b":"ü/<b>"}'],
  [
    'was parsed and serialized again, indented by two spaces',
    '{\n  "b": "ü/<b>",\n  "a": [\n    1.5,\n    {\n      "c": null\n    }\n  ]\n}',
  ],
  [
    'was parsed and serialized again, indented by four spaces',
    '{\n    "b": "ü/<b>",\n    "a": [\n        1.5,\n        {\n            "c": null\n        }\n    ]\n}',
  ],
  ['was encoded as a JSON string', '"{\\"b\\":\\"ü/<b>\\",\\"a\\":[1.5,{\\"c\\":null}]}"'],
  ['got a line break at its end', `${BODY}\n`],
])('a body that %s is recognised', (change, text) => {
  expect(rewrittenBodies(BODY)).toContainEqual({ change, text })
})

test('a serializer that does not change the bytes is not listed', () => {
  expect(rewrittenBodies('[1]').map(({ change }) => change)).toEqual([
    'was parsed and serialized again, indented by two spaces',
    'was parsed and serialized again, indented by four spaces',
    'was encoded as a JSON string',
    'got a line break at its end',
  ])
})
