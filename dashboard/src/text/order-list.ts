import { catalogue } from './catalogue.ts'

/** The texts of lists of orders. Home needs them, and not the texts of one order. */
export const orderList = catalogue({
  title: ['Orders', 'Bestellungen', 'Pedidos'],
  number: ['Number', 'Nummer', 'Número'],
  customer: ['Customer', 'Kunde', 'Cliente'],
  age: ['Age', 'Alter', 'Antigüedad'],
  empty: [
    'Orders appear here as soon as somebody buys. Create a test order to see what happens.',
    'Bestellungen erscheinen hier, sobald jemand kauft. Erstellen Sie eine Testbestellung.',
    'Los pedidos aparecen aquí cuando alguien compra. Cree un pedido de prueba.',
  ],
  newOrder: ['New order', 'Neue Bestellung', 'Nuevo pedido'],
  newTest: ['Make a test order', 'Testbestellung erstellen', 'Crear un pedido de prueba'],
})
