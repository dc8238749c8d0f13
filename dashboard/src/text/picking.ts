import { catalogue } from './catalogue.ts'

export const picking = catalogue({
  search: [
    'Search by name, address or SKU',
    'Nach Name, Adresse oder SKU suchen',
    'Buscar por nombre, dirección o SKU',
  ],
  nothing: ['No product matches.', 'Kein Produkt passt.', 'Ningún producto coincide.'],
  add: ['Add', 'Hinzufügen', 'Añadir'],
  addNamed: ['Add {name}', '{name} hinzufügen', 'Añadir {name}'],
  addedNamed: ['{name} added', '{name} hinzugefügt', '{name} añadido'],
  isIn: ['Added', 'Hinzugefügt', 'Añadido'],
  more: [
    'There are more products. Type more of the name.',
    'Es gibt weitere. Geben Sie mehr vom Namen ein.',
    'Hay más. Escriba más del nombre.',
  ],
  product: ['Product', 'Produkt', 'Producto'],
  quantity: ['Quantity', 'Menge', 'Cantidad'],
})
