import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OpenedDashboard, openDashboard } from './dashboard-harness.ts'
import { description, press, productEditing, publish } from './product-editing.ts'

/** The formatted description of a product, which is changed where it is shown. */

let dashboard: OpenedDashboard
beforeAll(async () => {
  dashboard = await openDashboard()
})
afterAll(() => dashboard?.close())

const { createProduct, readProduct, open } = productEditing(() => dashboard)

describe('the description', () => {
  const saved = async (id: string) => (await readProduct(id)).details.description_html

  test('is formatted by keyboard and by the toolbar, and buyers see it so', async () => {
    const { id } = await createProduct()
    const page = await open(id)
    await press(page, 'Change Description')
    await description(page).waitFor()
    await page.keyboard.type('Care')
    await press(page, 'Heading')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Use ')
    await page.keyboard.press('ControlOrMeta+b')
    await page.keyboard.type('soap')
    await page.keyboard.press('ControlOrMeta+b')
    await page.keyboard.press('Enter')
    await press(page, 'List')
    await page.keyboard.type('warm')
    await page.keyboard.press('Enter')
    await page.keyboard.type('wet')
    await publish(page)
    expect(await saved(id)).toBe(
      '<h2>Care</h2><p>Use <strong>soap</strong></p><ul><li><p>warm</p></li><li><p>wet</p></li></ul>',
    )
    const preview = page.getByRole('region', { name: 'As buyers see it' })
    await preview.getByRole('heading', { name: 'Care' }).waitFor()
    await page.close()
  })

  test('gets a link of a typed address, and an address that is none is refused', async () => {
    const { id } = await createProduct({ details: { description_html: '<p>Our site</p>' } })
    const page = await open(id)
    await press(page, 'Change Description')
    await description(page).press('ControlOrMeta+a')
    await press(page, 'Link')
    await page.keyboard.type('javascript:alert(1)')
    await page.keyboard.press('Enter')
    await page.getByText('Write a web or email address').waitFor()
    await page.getByLabel('Address of the link').fill('example.com/mugs')
    await page.keyboard.press('Enter')
    await publish(page)
    expect(await saved(id)).toBe(
      '<p><a href="https://example.com/mugs" rel="nofollow noopener">Our site</a></p>',
    )
    await page.close()
  })

  test('that is opened and closed without a change has no draft', async () => {
    const html = '<p>One<br>two <b>three</b></p>'
    const { id } = await createProduct({ details: { description_html: html } })
    const page = await open(id)
    await press(page, 'Change Description')
    await description(page).press('End')
    await page.keyboard.type('x')
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Change Description' }).waitFor()
    expect(await page.evaluate('Object.keys(localStorage).join()')).not.toContain(id)
    await page.close()
  })

  test('with parts that only HTML can hold is edited as HTML, and nothing of it is lost', async () => {
    const html = '<table><tbody><tr><td>12 cm</td></tr></tbody></table>'
    const { id } = await createProduct({ details: { description_html: html } })
    const page = await open(id)
    await press(page, 'Change Description')
    await page.getByText('only be edited as HTML: table').waitFor()
    await description(page).fill(`${html}<p style="color:red">New</p>`)
    await publish(page)
    expect(await saved(id)).toBe(`${html}<p>New</p>`)
    await page.close()
  })

  test('takes the rows of a pasted table as paragraphs, and loads or runs nothing of it', async () => {
    const { id } = await createProduct()
    const page = await open(id)
    const errors: string[] = []
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
    await press(page, 'Change Description')
    await description(page).waitFor()
    const pasted =
      '<p style="color:red">Sizes</p><table><tr><td onclick="x()">S</td><td>10 cm</td></tr></table>'
    await page.evaluate(
      `((html) => {
        const clipboardData = new DataTransfer()
        clipboardData.setData('text/html', html)
        document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
      })(${JSON.stringify(pasted)})`,
    )
    await publish(page)
    expect(await saved(id)).toBe('<p>Sizes</p><p>S | 10 cm</p>')
    expect(errors).toEqual([])
    await page.close()
  })

  test('is emptied by an empty text', async () => {
    const { id } = await createProduct({ details: { description_html: '<p>Old</p>' } })
    const page = await open(id)
    await press(page, 'Change Description')
    await description(page).press('ControlOrMeta+a')
    await page.keyboard.press('Delete')
    await publish(page)
    expect(await saved(id)).toBeNull()
    await page.close()
  })
})
