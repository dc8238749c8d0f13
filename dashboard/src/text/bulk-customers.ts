import { catalogue } from './catalogue.ts'

/** Texts of the actions on several customers. */
export const bulkCustomers = catalogue({
  tag: ['Tag', 'Tag', 'Etiqueta'],
  addTag: [
    'Tag {n} {n:customer|customers}',
    '{n} Kunden einen Tag geben',
    'Etiquetar {n} {n:cliente|clientes}',
  ],
  addTagLead: [
    'Adds a tag to {n} {n:customer|customers}. {n:It keeps|They keep} other tags.',
    'Fügt {n} Kunden einen Tag hinzu. Andere Tags bleiben.',
    'Añade una etiqueta a {n} {n:cliente|clientes}. Las demás se conservan.',
  ],
  removeTag: [
    'Remove a tag from {n} {n:customer|customers}',
    'Tag von {n} Kunden entfernen',
    'Quitar una etiqueta de {n} {n:cliente|clientes}',
  ],
  removeTagLead: [
    'Customers without the tag stay as they are.',
    'Kunden ohne den Tag bleiben unverändert.',
    'Los clientes sin la etiqueta quedan igual.',
  ],
  hasTag: ['Has the tag already.', 'Hat den Tag bereits.', 'Ya tiene la etiqueta.'],
  hasNoTag: ['Does not have the tag.', 'Hat den Tag nicht.', 'No tiene la etiqueta.'],
})
