import { catalogue } from './catalogue.ts'
import { navigation } from './navigation.ts'

export const customers = catalogue({
  title: navigation.customers,
  search: ['E-mail or name', 'E-Mail oder Name', 'Correo o nombre'],
  country: ['Country', 'Land', 'País'],
  ordersCount: ['Orders', 'Bestellungen', 'Pedidos'],
  spent: ['Spent', 'Umsatz', 'Gastado'],
  balance: ['Balance', 'Guthaben', 'Saldo'],
  last: ['Last order', 'Letzte Bestellung', 'Último pedido'],
  first: ['First order', 'Erste Bestellung', 'Primer pedido'],
  average: ['Average order', 'Mittlere Bestellung', 'Pedido medio'],
  blocked: ['Blocked', 'Gesperrt', 'Bloqueado'],
  byValue: ['Most spent', 'Höchster Umsatz', 'Mayor gasto'],
  tags: ['Tags', 'Tags', 'Etiquetas'],
  empty: [
    'Everybody who orders appears here, by e-mail address.',
    'Wer bestellt, erscheint hier mit seiner E-Mail-Adresse.',
    'Aquí aparece quien compra, por su correo.',
  ],
  noOrders: ['No orders yet.', 'Noch keine Bestellungen.', 'Aún no hay pedidos.'],
  entries: ['Balance entries', 'Guthabenbuchungen', 'Movimientos del saldo'],
  noEntries: [
    'The balance was never changed.',
    'Das Guthaben wurde nie geändert.',
    'El saldo nunca cambió.',
  ],
  change: ['Change balance', 'Guthaben ändern', 'Cambiar saldo'],
  changeLead: [
    'Adds to the balance, or takes from it with a minus sign. It never goes below 0.',
    'Erhöht das Guthaben, oder senkt es mit Minuszeichen. Es fällt nie unter 0.',
    'Suma al saldo, o resta con signo menos. Nunca baja de 0.',
  ],
  unblock: ['Unblock', 'Sperre aufheben', 'Desbloquear'],
  unblockLead: [
    '{email} can buy again.',
    '{email} kann wieder kaufen.',
    '{email} podrá comprar de nuevo.',
  ],
  erase: ['Erase personal data', 'Personendaten löschen', 'Borrar datos personales'],
  eraseLead: [
    'Removes name, addresses and texts of this person for good. {n} orders and their totals stay.',
    'Entfernt Name, Adressen und Texte endgültig. {n} Bestellungen und ihre Summen bleiben.',
    'Elimina para siempre nombre, direcciones y textos. Quedan {n} pedidos y sus totales.',
  ],
  merge: ['Merge into another', 'Zusammenführen', 'Fusionar con otro'],
  mergeInto: [
    'Id of the customer that stays',
    'ID des Kunden, der bleibt',
    'Id del cliente que queda',
  ],
  mergeLead: [
    'Moves all orders and the balance of {email} to the other customer. This cannot be undone.',
    'Überträgt alle Bestellungen und das Guthaben von {email}. Das ist endgültig.',
    'Mueve todos los pedidos y el saldo de {email}. No se puede deshacer.',
  ],
  licenses: ['License keys', 'Lizenzschlüssel', 'Claves de licencia'],
  noLicenses: [
    'No license key belongs to this customer.',
    'Kein Lizenzschlüssel gehört diesem Kunden.',
    'Ninguna clave de licencia es de este cliente.',
  ],
  tickets: ['Tickets', 'Tickets', 'Tickets'],
  noTickets: [
    'This customer has opened no ticket.',
    'Dieser Kunde hat kein Ticket eröffnet.',
    'Este cliente no ha abierto tickets.',
  ],
})
