import { catalogue } from './catalogue.ts'

export const home = catalogue({
  title: ['Home', 'Start', 'Inicio'],
  today: [
    'Net today, after refunds',
    'Netto heute, nach Erstattungen',
    'Neto de hoy, tras reembolsos',
  ],
  before: [
    'The same weekday last week: {amount}.',
    'Gleicher Wochentag letzte Woche: {amount}.',
    'El mismo día de la semana pasada: {amount}.',
  ],
  zone: ['Days are those of {zone}.', 'Tage gelten in {zone}.', 'Los días son de {zone}.'],
  hour: ['Hour', 'Stunde', 'Hora'],
  tooMany: [
    'More than {n} orders were paid today, so they are not shown by hour.',
    'Heute wurden mehr als {n} Bestellungen bezahlt. Sie werden nicht nach Stunde gezeigt.',
    'Hoy se pagaron más de {n} pedidos, por eso no se muestran por hora.',
  ],
  needsYou: ['Needs you', 'Braucht Sie', 'Le espera'],
  nothing: ['Nothing waits for you.', 'Nichts wartet auf Sie.', 'Nada le espera.'],
  orders: [
    'Orders to review, deliver or ship',
    'Bestellungen zu prüfen, liefern oder senden',
    'Pedidos por revisar, entregar o enviar',
  ],
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
  setup: ['Set up your store', 'Shop einrichten', 'Configure su tienda'],
  stepProduct: ['Create a product', 'Produkt anlegen', 'Crear un producto'],
  stepStock: [
    'Add stock or keys to it',
    'Lager oder Keys hinzufügen',
    'Añadir existencias o claves',
  ],
  stepOrder: ['Make a test order', 'Testbestellung erstellen', 'Hacer un pedido de prueba'],
  stepWebhook: [
    'Add a webhook endpoint',
    'Webhook-Endpunkt anlegen',
    'Añadir un endpoint de webhook',
  ],
  stepPassword: [
    'Set a password for your account',
    'Passwort für Ihr Konto festlegen',
    'Poner contraseña a su cuenta',
  ],
  done: ['done', 'erledigt', 'hecho'],
  todo: ['open', 'offen', 'pendiente'],
})
