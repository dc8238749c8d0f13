import { catalogue } from './catalogue.ts'

export const risk = catalogue({
  title: ['Risk notes', 'Hinweise zum Risiko', 'Notas de riesgo'],
  none: [
    'The buyer is not on the blocklist, has no refunded orders and has few orders that day.',
    'Der Käufer ist nicht gesperrt, hat keine erstatteten Bestellungen und an diesem Tag wenige.',
    'El comprador no está bloqueado, no tiene pedidos reembolsados y ese día tiene pocos.',
  ],
  onBlocklist: [
    'The blocklist has {value}.',
    'Die Sperrliste enthält {value}.',
    'La lista de bloqueo contiene {value}.',
  ],
  refusedOne: ['It refused {n} order.', 'Abgelehnt: {n} Bestellung.', 'Rechazó {n} pedido.'],
  refusedMany: ['It refused {n} orders.', 'Abgelehnt: {n} Bestellungen.', 'Rechazó {n} pedidos.'],
  flagged: [
    'The conversion of {partner} has flags:',
    'Die Vermittlung von {partner} ist markiert:',
    'La conversión de {partner} tiene avisos:',
  ],
  inDay: [
    'The buyer placed {n} more orders in the 24 hours before.',
    'Der Käufer hat in den 24 Stunden davor {n} weitere Bestellungen aufgegeben.',
    'El comprador hizo {n} pedidos más en las 24 horas anteriores.',
  ],
  refundedOne: [
    'The buyer has {n} other refunded order.',
    'Der Käufer hat {n} andere erstattete Bestellung.',
    'El comprador tiene {n} pedido reembolsado más.',
  ],
  refundedMany: [
    'The buyer has {n} other refunded orders.',
    'Der Käufer hat {n} andere erstattete Bestellungen.',
    'El comprador tiene {n} pedidos reembolsados más.',
  ],
})
