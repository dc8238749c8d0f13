import { catalogue } from './catalogue.ts'

export const disputes = catalogue({
  title: ['Disputes to answer', 'Zahlungsstreite zu beantworten', 'Disputas por responder'],
  tab: ['Disputes', 'Zahlungsstreite', 'Disputas'],
  lead: [
    'Buyers dispute these payments at their bank. Send your evidence at the provider in time: without an answer the money goes back. Until the decision the order is on hold.',
    'Käufer bestreiten diese Zahlungen bei ihrer Bank. Senden Sie Ihre Belege rechtzeitig beim Anbieter: Ohne Antwort geht das Geld zurück. Bis zur Entscheidung ist die Bestellung angehalten.',
    'Los compradores disputan estos pagos en su banco. Envíe sus pruebas a tiempo en el proveedor: sin respuesta se devuelve el dinero. Hasta la decisión el pedido está retenido.',
  ],
  empty: [
    'No buyer disputes a payment.',
    'Kein Käufer bestreitet eine Zahlung.',
    'Ningún comprador disputa un pago.',
  ],
  until: ['Answer until', 'Antwort bis', 'Responder hasta'],
})
