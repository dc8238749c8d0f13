import { catalogue } from './catalogue.ts'

/** Texts of a record next to its list. */
export const panel = catalogue({
  openPage: ['Open as a page', 'Als Seite öffnen', 'Abrir como página'],
  keyOpen: [
    'Open the record of a row next to the list, and then as a page',
    'Eintrag einer Zeile neben der Liste öffnen, danach als Seite',
    'Abrir el registro de una fila junto a la lista y después como página',
  ],
  product: ['Product', 'Produkt', 'Producto'],
  customer: ['Customer', 'Kunde', 'Cliente'],
  licenseKey: ['License key', 'Lizenzschlüssel', 'Clave de licencia'],
  ticket: ['Ticket', 'Ticket', 'Ticket'],
  delivery: ['Webhook delivery', 'Webhook-Zustellung', 'Entrega de webhook'],
})
