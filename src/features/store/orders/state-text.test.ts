import { expect, test } from 'vitest'
import { stateText } from '../../../kernel/state-text.ts'
import { Payment } from './payment-schema.ts'
import { STATUSES } from './schema.ts'

test('every status of an order and of a payment makes an English sentence', () => {
  const texts = [...STATUSES, ...Payment.shape.status.options].map(stateText)
  for (const text of texts) expect(text).toMatch(/^(is|has|waits for a) [a-z ]+$/)
  expect(texts).toEqual(expect.arrayContaining(['is pending', 'is paid', 'has expired']))
})
