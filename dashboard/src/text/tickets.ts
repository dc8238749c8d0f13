import { catalogue } from './catalogue.ts'
import { navigation } from './navigation.ts'

export const tickets = catalogue({
  title: navigation.tickets,
  subject: ['Subject', 'Betreff', 'Asunto'],
  customer: ['Customer', 'Kunde', 'Cliente'],
  awaiting: ['Awaits', 'Wartet auf', 'Espera a'],
  awaitsUs: ['you', 'Sie', 'usted'],
  awaitsCustomer: ['the customer', 'den Kunden', 'al cliente'],
  awaitingUs: ['Awaiting your answer', 'Warten auf Ihre Antwort', 'Esperan su respuesta'],
  awaitingCustomer: ['Awaiting the customer', 'Warten auf den Kunden', 'Esperan al cliente'],
  closed: ['Closed', 'Geschlossen', 'Cerrados'],
  messages: ['Messages', 'Nachrichten', 'Mensajes'],
  last: ['Last message', 'Letzte Nachricht', 'Último mensaje'],
  order: ['Order', 'Bestellung', 'Pedido'],
  empty: [
    'A ticket is a conversation with a customer. Your shop opens one through the API, or you open one here.',
    'Ein Ticket ist ein Gespräch mit einem Kunden. Ihr Shop eröffnet es über die API, oder Sie eröffnen es hier.',
    'Un ticket es una conversación con un cliente. Su tienda lo abre por la API, o usted lo abre aquí.',
  ],
  new: ['New ticket', 'Neues Ticket', 'Nuevo ticket'],
  first: ['Message of the customer', 'Nachricht des Kunden', 'Mensaje del cliente'],
  orderHelp: [
    'The order it is about, such as ord_…; may stay empty.',
    'Die Bestellung, um die es geht, etwa ord_…; kann leer bleiben.',
    'El pedido del que se trata, por ejemplo ord_…; puede quedar vacío.',
  ],
  reply: ['Reply', 'Antworten', 'Responder'],
  replyText: ['Your reply', 'Ihre Antwort', 'Su respuesta'],
  replyHelp: [
    'Tradepost sends no mail for it: your shop tells the customer, for example on a ticket.message event.',
    'Tradepost verschickt dazu keine E-Mail: Ihr Shop sagt es dem Kunden, zum Beispiel beim Ereignis ticket.message.',
    'Tradepost no envía correo por ello: su tienda avisa al cliente, por ejemplo con el evento ticket.message.',
  ],
  close: ['Close ticket', 'Ticket schließen', 'Cerrar ticket'],
  closeLead: [
    'A closed ticket takes no messages until it is opened again.',
    'Ein geschlossenes Ticket nimmt keine Nachrichten an, bis es wieder geöffnet wird.',
    'Un ticket cerrado no admite mensajes hasta que se reabra.',
  ],
  reopen: ['Open again', 'Wieder öffnen', 'Reabrir'],
  seller: ['You', 'Sie', 'Usted'],
  system: ['Notice', 'Hinweis', 'Aviso'],
  orders: ['Orders of the customer', 'Bestellungen des Kunden', 'Pedidos del cliente'],
  noOrders: [
    'This customer has no orders.',
    'Dieser Kunde hat keine Bestellungen.',
    'Este cliente no tiene pedidos.',
  ],
})
