import { catalogue } from './catalogue.ts'

export const billing = catalogue({
  title: ['Billing', 'Abrechnung', 'Facturación'],
  lead: [
    'A paid order of this product begins a subscription on these terms. Subscriptions that exist keep theirs.',
    'Eine bezahlte Bestellung dieses Produkts beginnt ein Abo zu diesen Bedingungen. Bestehende Abos behalten ihre.',
    'Un pedido pagado de este producto inicia una suscripción con estas condiciones. Las existentes conservan las suyas.',
  ],
  none: [
    'No billing cycle is set, so an order of this product begins no subscription.',
    'Es ist kein Zyklus gesetzt, daher beginnt eine Bestellung dieses Produkts kein Abo.',
    'No hay ciclo, así que un pedido de este producto no inicia ninguna suscripción.',
  ],
  set: ['Set billing', 'Abrechnung setzen', 'Fijar facturación'],
  cycle: ['Renews', 'Verlängerung', 'Se renueva'],
  trial: ['Trial in days', 'Probezeit in Tagen', 'Prueba en días'],
  trialHelp: [
    'Days between the first payment and the first renewal. 0 means none.',
    'Tage zwischen der ersten Zahlung und der ersten Verlängerung. 0 heißt keine.',
    'Días entre el primer pago y la primera renovación. 0 es ninguno.',
  ],
  price: ['Price of a renewal', 'Preis einer Verlängerung', 'Precio de una renovación'],
  priceHelp: [
    'Empty means the price of the first order.',
    'Leer: der Preis der ersten Bestellung.',
    'Vacío: el precio del primer pedido.',
  ],
  samePrice: [
    'The price of the first order',
    'Der Preis der ersten Bestellung',
    'El precio del primer pedido',
  ],
})
