import { catalogue } from './catalogue.ts'
import { returns } from './returns.ts'

/** Texts about the parcels of an order. */
export const parcels = catalogue({
  title: ['Parcels', 'Pakete', 'Paquetes'],
  none: ['Nothing was shipped yet.', 'Noch nichts versandt.', 'Aún no se envió nada.'],
  number: ['Parcel {n}', 'Paket {n}', 'Paquete {n}'],
  toShip: ['Still to ship: {items}.', 'Noch zu versenden: {items}.', 'Falta por enviar: {items}.'],
  ship: ['Ship', 'Versenden', 'Enviar'],
  shipTitle: ['Ship a parcel', 'Paket versenden', 'Enviar un paquete'],
  shipLead: [
    'Records that this parcel left. The order is completed with the last one.',
    'Erfasst, dass dieses Paket abgeschickt ist. Mit dem letzten ist die Bestellung abgeschlossen.',
    'Registra que este paquete salió. El pedido se completa con el último.',
  ],
  unitsOf: ['{item}, of {n}', '{item}, von {n}', '{item}, de {n}'],
  tracking: returns.tracking,
  carrier: returns.carrier,
  carrierHelp: [
    'Empty: the carrier of the shipping rate.',
    'Leer: der Versanddienst der Versandart.',
    'Vacío: el transportista de la tarifa.',
  ],
  trackingUrl: [
    'Address of the tracking page',
    'Adresse der Sendungsverfolgung',
    'Dirección de la página de seguimiento',
  ],
  notify: [
    'Mail the customer the contents and the tracking number',
    'Dem Kunden Inhalt und Sendungsnummer mailen',
    'Enviar al cliente el contenido y el número de seguimiento',
  ],
  shipped: ['The parcel was shipped.', 'Das Paket ist versandt.', 'El paquete se envió.'],
  edit: ['Edit tracking', 'Sendung bearbeiten', 'Editar el seguimiento'],
  carrierStatus: [
    'Status at the carrier',
    'Status beim Versanddienst',
    'Estado en el transportista',
  ],
  cancel: ['Cancel parcel', 'Paket stornieren', 'Cancelar paquete'],
  cancelLead: [
    '{n} {n:unit|units} of this parcel {n:has|have} to be shipped again.',
    '{n} Stück dieses Pakets {n:muss|müssen} erneut versandt werden.',
    'Hay que volver a enviar {n} {n:unidad|unidades} de este paquete.',
  ],
  label_printed: ['Label printed', 'Etikett gedruckt', 'Etiqueta impresa'],
  in_transit: ['In transit', 'Unterwegs', 'En tránsito'],
  out_for_delivery: ['Out for delivery', 'In Auslieferung', 'En reparto'],
  attempted_delivery: ['Delivery attempted', 'Zustellung versucht', 'Entrega intentada'],
  delivered: ['Delivered', 'Zugestellt', 'Entregado'],
  failure: ['Not deliverable', 'Nicht zustellbar', 'No entregable'],
})
