import { catalogue } from './catalogue.ts'
import { records } from './records.ts'

export const ledger = catalogue({
  title: ['Ledger', 'Hauptbuch', 'Libro mayor'],
  lead: [
    'Each change of the money that you received, and of the store credit of customers.',
    'Jede Änderung des Geldes, das Sie erhielten, und der Guthaben von Kunden.',
    'Cada cambio del dinero que recibió y del saldo de los clientes.',
  ],
  empty: [
    'Nothing has changed yet. The first payment of an order appears here.',
    'Noch keine Änderung. Die erste Zahlung einer Bestellung erscheint hier.',
    'Aún no hay cambios. Aquí aparece el primer pago de un pedido.',
  ],
  account: ['Account', 'Konto', 'Cuenta'],
  wallet: records.wallet,
  customer_balances: ['Customer balances', 'Guthaben von Kunden', 'Saldo de clientes'],
  payment: ['Payment', 'Zahlung', 'Pago'],
  refund: ['Refund', 'Erstattung', 'Reembolso'],
  order_ended: ['Order ended', 'Bestellung beendet', 'Pedido terminado'],
  withdrawal: ['Withdrawal', 'Auszahlung', 'Retiro'],
  withdrawal_returned: ['Withdrawal returned', 'Auszahlung zurück', 'Retiro devuelto'],
  adjustment: ['Changed by the team', 'Vom Team geändert', 'Cambio del equipo'],
  openOrder: ['Open the order', 'Bestellung öffnen', 'Abrir el pedido'],
})
