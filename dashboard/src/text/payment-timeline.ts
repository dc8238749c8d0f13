import { catalogue } from './catalogue.ts'

export const paymentTimeline = catalogue({
  title: [
    'Timeline of the payment of {amount}',
    'Verlauf der Zahlung über {amount}',
    'Historial del pago de {amount}',
  ],
  setUp: [
    'Saving a payment method for renewals',
    'Speichern eines Zahlungsmittels für Verlängerungen',
    'Guardado de un método de pago para las renovaciones',
  ],
  saved: ['Saved at {provider}', 'Bei {provider} gespeichert', 'Guardado en {provider}'],
  started: ['Started', 'Begonnen', 'Iniciado'],
  paid: [
    '{amount} arrived at {provider}',
    '{amount} bei {provider} eingegangen',
    '{amount} llegaron a {provider}',
  ],
  moneyArrived: [
    'Money arrived at {provider}',
    'Geld bei {provider} eingegangen',
    'Llegó dinero a {provider}',
  ],
  rejected: [
    'Rejected: the money went back to the buyer',
    'Abgelehnt: Das Geld ging an den Käufer zurück',
    'Rechazado: el dinero volvió al comprador',
  ],
  reported: [
    '{provider} reported: {message}',
    '{provider} meldete: {message}',
    '{provider} informó: {message}',
  ],
  failed: ['The payment failed:', 'Die Zahlung schlug fehl:', 'El pago falló:'],
  refundedElsewhere: [
    'Refund of {amount}, made at {provider}',
    'Erstattung von {amount}, bei {provider} ausgelöst',
    'Reembolso de {amount}, hecho en {provider}',
  ],
  lost: [
    'The bank returned {amount} to the buyer',
    'Die Bank gab dem Käufer {amount} zurück',
    'El banco devolvió {amount} al comprador',
  ],
  dispute: ['Dispute', 'Zahlungsstreit', 'Disputa'],
  disputeOpen: [
    'The buyer disputes {amount} at the bank.',
    'Der Käufer bestreitet {amount} bei der Bank.',
    'El comprador disputa {amount} en su banco.',
  ],
  disputeUntil: [
    'Send your evidence at {provider} until {date}.',
    'Senden Sie Ihre Belege bis {date} bei {provider}.',
    'Envíe sus pruebas en {provider} hasta el {date}.',
  ],
  disputeWon: [
    'The bank decided for you: {amount} stays yours.',
    'Die Bank entschied für Sie: {amount} bleiben Ihnen.',
    'El banco decidió a su favor: conserva {amount}.',
  ],
  disputeLost: [
    'The bank decided for the buyer: {amount} went back.',
    'Die Bank entschied für den Käufer: {amount} gingen zurück.',
    'El banco decidió a favor del comprador: se devolvieron {amount}.',
  ],
  kept: ['What the provider kept', 'Was der Anbieter behielt', 'Lo que retuvo el proveedor'],
  paidSum: ['Paid', 'Bezahlt', 'Pagado'],
  refundedSum: ['Refunded', 'Erstattet', 'Reembolsado'],
  fee: ['Fee of {provider}', 'Gebühr von {provider}', 'Comisión de {provider}'],
  disputeFee: ['Fee of the dispute', 'Gebühr des Zahlungsstreits', 'Comisión de la disputa'],
  notKnown: ['not known yet', 'noch nicht bekannt', 'aún no se conoce'],
  noFee: ['none', 'keine', 'ninguna'],
  left: ['Left for you', 'Bleibt Ihnen', 'Le queda'],
  leftIfWon: [
    'Left for you if you win the dispute',
    'Bleibt Ihnen, wenn Sie den Streit gewinnen',
    'Le queda si gana la disputa',
  ],
  leftBefore: [
    'Left for you before fees',
    'Bleibt Ihnen vor Gebühren',
    'Le queda antes de comisiones',
  ],
  feesNotKnown: [
    'Before the fee of the payment provider, which is not known yet.',
    'Vor der Gebühr des Zahlungsanbieters, die noch nicht bekannt ist.',
    'Antes de la comisión del proveedor de pagos, que aún no se conoce.',
  ],
  otherAmount: [
    'Another amount arrived: {expected} was expected, {arrived} arrived.',
    'Ein anderer Betrag kam an: erwartet {expected}, eingegangen {arrived}.',
    'Llegó otro importe: se esperaban {expected} y llegaron {arrived}.',
  ],
  otherCurrency: [
    'Another currency than {currency} arrived, so the money cannot be counted.',
    'Eine andere Währung als {currency} kam an; das Geld kann nicht gezählt werden.',
    'Llegó otra moneda que {currency}, así que el dinero no se puede contar.',
  ],
  approveRest: [
    '{arrived} counts as paid. The buyer still owes {rest}.',
    '{arrived} gelten als bezahlt. Der Käufer schuldet noch {rest}.',
    '{arrived} cuentan como pagados. El comprador aún debe {rest}.',
  ],
  approveAll: [
    '{arrived} counts as paid, so the order is paid and delivered.',
    '{arrived} gelten als bezahlt; die Bestellung ist damit bezahlt und wird geliefert.',
    '{arrived} cuentan como pagados: el pedido queda pagado y se entrega.',
  ],
  approveMore: [
    '{arrived} counts as paid, so the order is paid and delivered. {more} more than owed arrived, which you can refund.',
    '{arrived} gelten als bezahlt; die Bestellung ist damit bezahlt und wird geliefert. Es kamen {more} zu viel an, die Sie erstatten können.',
    '{arrived} cuentan como pagados: el pedido queda pagado y se entrega. Llegaron {more} de más, que puede reembolsar.',
  ],
  reject: [
    '{provider} returns all of the money to the buyer, {arrived}. The order then waits for payment again.',
    '{provider} gibt dem Käufer das ganze Geld zurück, {arrived}. Die Bestellung wartet danach wieder auf Zahlung.',
    '{provider} devuelve todo el dinero al comprador, {arrived}. El pedido vuelve a esperar el pago.',
  ],
  rejectOther: [
    '{provider} returns all of the money to the buyer. The order then waits for payment again.',
    '{provider} gibt dem Käufer das ganze Geld zurück. Die Bestellung wartet danach wieder auf Zahlung.',
    '{provider} devuelve todo el dinero al comprador. El pedido vuelve a esperar el pago.',
  ],
})
