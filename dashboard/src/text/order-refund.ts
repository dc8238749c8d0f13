import { catalogue } from './catalogue.ts'

/** The texts of the refund of an order. */
export const orderRefund = catalogue({
  what: ['What you refund', 'Was Sie erstatten', 'Qué reembolsa'],
  anAmount: ['An amount', 'Einen Betrag', 'Un importe'],
  units: ['Units of the order', 'Einheiten der Bestellung', 'Unidades del pedido'],
  unitsHelp: [
    'Units that are refunded before they are delivered are not delivered any more.',
    'Einheiten, die vor der Lieferung erstattet werden, werden nicht mehr geliefert.',
    'Las unidades reembolsadas antes de la entrega ya no se entregan.',
  ],
  unitsOf: ['{name}, of {n}', '{name}, von {n}', '{name}, de {n}'],
  cancelledUnits: [
    '{n} refunded before delivery',
    '{n} vor der Lieferung erstattet',
    '{n} reembolsadas antes de la entrega',
  ],
})
