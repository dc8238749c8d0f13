import { catalogue } from './catalogue.ts'
import { navigation } from './navigation.ts'

export const events = catalogue({
  title: navigation.webhookEvents,
  lead: [
    'Each change in this store is an event. Events are kept for 30 days, also those that no endpoint receives.',
    'Jede Änderung in diesem Shop ist ein Ereignis. Ereignisse bleiben 30 Tage, auch solche, die kein Endpunkt erhält.',
    'Cada cambio en esta tienda es un evento. Los eventos se conservan 30 días, también los que ningún endpoint recibe.',
  ],
  all: ['Events', 'Ereignisse', 'Eventos'],
  deliveries: ['Deliveries', 'Zustellungen', 'Entregas'],
  types: ['Event types', 'Ereignistypen', 'Tipos de evento'],
  type: ['Event', 'Ereignis', 'Evento'],
  record: ['Record', 'Datensatz', 'Registro'],
  sample: ['Test', 'Test', 'Prueba'],
  happened: ['Happened', 'Geschehen', 'Ocurrió'],
  empty: [
    'No event happened yet. The first order or customer makes one.',
    'Noch kein Ereignis. Die erste Bestellung oder der erste Kunde erzeugt eines.',
    'Aún no hay eventos. El primer pedido o cliente crea uno.',
  ],
  firstOrder: ['Create an order', 'Bestellung anlegen', 'Crear un pedido'],
  noDeliveries: [
    'This event was sent to no endpoint.',
    'Dieses Ereignis ging an keinen Endpunkt.',
    'Este evento no se envió a ningún endpoint.',
  ],
  send: ['Send to endpoint', 'An Endpunkt senden', 'Enviar a un endpoint'],
  sendLead: [
    'Sends the event now and waits for the answer. The endpoint need not be subscribed to the event, and may be off.',
    'Sendet das Ereignis jetzt und wartet auf die Antwort. Der Endpunkt muss es nicht abonniert haben und darf aus sein.',
    'Envía el evento ahora y espera la respuesta. El endpoint no tiene que estar suscrito y puede estar desactivado.',
  ],
  endpoint: ['Endpoint', 'Endpunkt', 'Endpoint'],
  noEndpoint: [
    'There is no endpoint yet. Add one under Webhooks.',
    'Es gibt noch keinen Endpunkt. Fügen Sie unter Webhooks einen hinzu.',
    'Aún no hay ningún endpoint. Añada uno en Webhooks.',
  ],
  whenSent: ['When it is sent', 'Wann es gesendet wird', 'Cuándo se envía'],
})
