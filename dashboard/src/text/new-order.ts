import { catalogue } from './catalogue.ts'

export const newOrder = catalogue({
  none: [
    'No item yet. Add one from the search.',
    'Noch kein Artikel. Fügen Sie einen aus der Suche hinzu.',
    'Aún no hay artículos. Añada uno de la búsqueda.',
  ],
  chosen: ['Items of the order', 'Artikel der Bestellung', 'Artículos del pedido'],
  found: ['Products found', 'Gefundene Produkte', 'Productos encontrados'],
  removed: ['{name} removed', '{name} entfernt', '{name} quitado'],
  quantityOf: ['Quantity of {name}', 'Menge von {name}', 'Cantidad de {name}'],
  remove: ['Remove', 'Entfernen', 'Quitar'],
  removeNamed: ['Remove {name}', '{name} entfernen', 'Quitar {name}'],
})
