import { catalogue } from './catalogue.ts'

export const home = catalogue({
  title: ['Home', 'Start', 'Inicio'],
  newProduct: ['New product', 'Neues Produkt', 'Nuevo producto'],
  today: [
    'Net today, after refunds',
    'Netto heute, nach Erstattungen',
    'Neto de hoy, tras reembolsos',
  ],
  paidToday: ['Orders paid today', 'Heute bezahlt', 'Pagados hoy'],
  net: ['Net sales', 'Nettoumsatz', 'Ventas netas'],
  lastWeek: [
    'The same weekday last week: {now} by this time, {all} in all.',
    'Gleicher Wochentag letzte Woche: {now} bis zu dieser Uhrzeit, {all} am ganzen Tag.',
    'El mismo día de la semana pasada: {now} hasta esta hora, {all} en todo el día.',
  ],
  zone: [
    'Days begin at midnight in {zone}.',
    'Tage beginnen um Mitternacht in {zone}.',
    'Los días empiezan a medianoche en {zone}.',
  ],
  hour: ['Hour', 'Stunde', 'Hora'],
  needsYou: ['Needs attention', 'Wartet auf Sie', 'Requiere atención'],
  nothing: [
    'Nothing needs your attention.',
    'Nichts wartet auf Sie.',
    'Nada requiere su atención.',
  ],
  disputes: ['Disputes to answer', 'Zahlungsstreite zu beantworten', 'Disputas por responder'],
  disputesUntil: [
    '{n:Dispute to answer|Disputes to answer, the first} by {date}',
    '{n:Zahlungsstreit zu beantworten|Zahlungsstreite zu beantworten, der erste} bis {date}',
    '{n:Disputa por responder|Disputas por responder, la primera} hasta el {date}',
  ],
  to_review: ['Payments to review', 'Zahlungen zu prüfen', 'Pagos por revisar'],
  to_deliver: ['Orders to deliver', 'Bestellungen zu liefern', 'Pedidos por entregar'],
  to_ship: ['Orders to ship', 'Bestellungen zu versenden', 'Pedidos por enviar'],
  soldOut: ['Products out of stock', 'Ausverkaufte Produkte', 'Productos sin existencias'],
  tickets: ['Tickets without an answer', 'Tickets ohne Antwort', 'Tickets sin respuesta'],
  questions: ['Questions without an answer', 'Fragen ohne Antwort', 'Preguntas sin respuesta'],
  returns: ['Open returns', 'Offene Retouren', 'Devoluciones abiertas'],
  payouts: [
    'Payout requests of partners',
    'Auszahlungswünsche von Partnern',
    'Solicitudes de pago de socios',
  ],
  endpoints: [
    'Failing webhook endpoints',
    'Fehlerhafte Webhook-Endpunkte',
    'Endpoints de webhook con fallos',
  ],
  latest: ['Latest orders', 'Neueste Bestellungen', 'Últimos pedidos'],
})
