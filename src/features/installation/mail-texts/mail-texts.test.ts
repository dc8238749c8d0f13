import { describe, expect, test } from 'vitest'
import { LANGUAGES } from '../../../kernel/language.ts'
import { fillBody, fillSubject, greetableName, type MailValues } from './fill.rules.ts'
import { renderHtml, renderText } from './layout.rules.ts'
import {
  PLACEHOLDERS,
  SUBJECT_PLACEHOLDERS,
  TEMPLATES,
  unknownPlaceholder,
} from './placeholders.rules.ts'
import { sampleValues } from './sample.rules.ts'
import { buttonLabels, defaultText } from './texts.rules.ts'

const LABELS = { order_url: 'Order', tracking_url: 'Track', link: 'Open' }
const bodyOf = (text: string, values: MailValues) => ({
  language: 'en' as const,
  store_name: 'Corner',
  blocks: fillBody(text, values, LABELS),
})
const textOf = (text: string, values: MailValues) => renderText(bodyOf(text, values))
const htmlOf = (text: string, values: MailValues) => renderHtml('Subject', bodyOf(text, values))

describe('a value', () => {
  test('cannot add an element to the HTML, and stays as it is in plain text', () => {
    const name = `<img src=x onerror="a('b')">&amp;`
    const values = { customer_name: name, items: [{ label: name, amount: name }] }
    const html = htmlOf('Hello {{customer_name}}\n\n{{items}}', values)
    expect(html).not.toContain('<img')
    expect(html).toContain('&lt;img src=x onerror=&quot;a(&#39;b&#39;)&quot;&gt;&amp;amp;')
    expect(textOf('Hello {{customer_name}}', values)).toContain(`Hello ${name}`)
  })

  test('with the text of a placeholder is not filled a second time', () => {
    const values = {
      customer_name: '{{keys}}',
      keys: [{ title: 'Game', keys: ['K-1'], notes: [] }],
    }
    expect(textOf('Hello {{customer_name}}', values)).toBe('Hello {{keys}}\n\n-- \nCorner')
    expect(fillSubject('For {{customer_name}}', { customer_name: '{{total}}', total: '9' })).toBe(
      'For {{total}}',
    )
  })

  test('has no line breaks, so it adds neither a header nor a line', () => {
    const customer_name = 'Ada\r\nBcc: eve@example.com\u2028\u202e'
    expect(fillSubject('For {{customer_name}}', { customer_name })).toBe(
      'For Ada Bcc: eve@example.com',
    )
    expect(textOf('Hello {{customer_name}}!', { customer_name })).toContain(
      'Hello Ada Bcc: eve@example.com!',
    )
  })

  test('that is no web address is never a link', () => {
    const values = { link: 'javascript:alert(1)', order_url: 'https://example.com/"><b>' }
    const html = htmlOf('Text\n\n{{link}}\n\n{{order_url}}', values)
    expect(html).not.toContain('javascript:')
    expect(html).toContain('href="https://example.com/&quot;&gt;&lt;b&gt;"')
  })
})

describe('a paragraph', () => {
  test('or a line whose only placeholder is empty is left out', () => {
    const text =
      'Hello {{customer_name}},\n\nReason: {{reason}}\nAmount: {{amount}}\n\n{{link}}\n\nBye'
    expect(textOf(text, { amount: '9', reason: '  ' })).toBe('Amount: 9\n\nBye\n\n-- \nCorner')
  })

  test('with another placeholder that has a value is kept', () => {
    expect(textOf('{{amount}} of {{total}}', { total: '9' })).toContain(' of 9')
  })
})

test('a URL alone on a line is a button, and within a sentence a link', () => {
  const values = { order_url: 'https://example.com/o' }
  expect(htmlOf('{{order_url}}', values)).toContain('class="button"')
  const html = htmlOf('See {{ order_url }} now', values)
  expect(html).not.toContain('class="button"')
  expect(html).toContain('<a class="text" href="https://example.com/o"')
  expect(textOf('{{order_url}}', values)).toContain('Order:\nhttps://example.com/o')
})

test('keys keep their characters and their lines', () => {
  const keys = [{ title: '1 × Game', keys: ['A<B', 'user\npass'], notes: ['note'] }]
  expect(textOf('{{keys}}', { keys })).toContain('1 × Game\nA<B\nuser\npass\nnote')
  expect(htmlOf('{{keys}}', { keys })).toContain('A&lt;B<br>user<br>pass')
})

test.each([
  '',
  'http://evil.example',
  'www.evil.example',
  'Win at evil.com now',
  'evil\u3002com',
  'bit\u2215abc',
  'ev\u200bil',
  'a@evil.example',
  'x'.repeat(65),
])('the name %j is not used in a greeting', (name) => {
  expect(greetableName(name)).toBe('')
})

describe.each(LANGUAGES)('the built-in texts in %s', (language) => {
  test.each(TEMPLATES)('of %s are filled completely', (template) => {
    const { subject, body_text } = defaultText(template, language)
    expect(unknownPlaceholder(subject, SUBJECT_PLACEHOLDERS)).toBeUndefined()
    expect(unknownPlaceholder(body_text, PLACEHOLDERS)).toBeUndefined()
    const now = '2026-12-12T12:00:00.000Z'
    const sample = { template: 'order_paid', language, now } as const
    const values = sampleValues({ name: 'Corner', currency: 'EUR' }, sample)
    const blocks = fillBody(body_text, values, buttonLabels(template, language))
    const text = renderText({ language, store_name: 'Corner', blocks })
    expect(`${fillSubject(subject, values)}\n${text}`).not.toMatch(/\{\{|undefined|null/)
    expect(blocks.some(({ kind }) => kind === 'button')).toBe(template !== 'email_changed')
  })
})
