import { expect, test } from 'vitest'
import { makePeople } from './people.ts'
import { createRandom } from './random.ts'

/** The form of a postal code, as each country writes it. */
const POSTAL_CODES: Readonly<Record<string, RegExp>> = {
  US: /^\d{5}$/,
  DE: /^\d{5}$/,
  FR: /^\d{5}$/,
  ES: /^0\d{4}$/,
  GB: /^[A-Z]{2}\d{2} \d[A-Z]{2}$/,
  NL: /^\d{4} [A-Z]{2}$/,
  CA: /^[A-Z]\d[A-Z] \d[A-Z]\d$/,
  JP: /^\d{3}-\d{4}$/,
  AU: /^\d{4}$/,
}

test('the people of the demo have addresses as their countries write them', () => {
  const people = makePeople(createRandom(4711), 400)
  expect(new Set(people.map(({ country }) => country))).toEqual(new Set(Object.keys(POSTAL_CODES)))
  const wrong = people.filter(
    ({ address }) => !POSTAL_CODES[address.country]?.test(address.postal_code),
  )
  expect(wrong.map(({ address }) => address)).toEqual([])
})
