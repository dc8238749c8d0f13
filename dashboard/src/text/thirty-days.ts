import { catalogue } from './catalogue.ts'

export const thirtyDays = catalogue({
  title: [
    'Last 30 days, net after refunds',
    'Letzte 30 Tage, netto nach Erstattungen',
    'Últimos 30 días, neto tras reembolsos',
  ],
  analytics: ['Analytics', 'Auswertungen', 'Analítica'],
  change: [
    '{change} compared with the 30 days before.',
    '{change} gegenüber den 30 Tagen davor.',
    '{change} frente a los 30 días anteriores.',
  ],
  before: ['Before: {amount}.', 'Davor: {amount}.', 'Antes: {amount}.'],
  orders: [
    '{n} paid {n:order|orders}.',
    '{n} bezahlte {n:Bestellung|Bestellungen}.',
    '{n} {n:pedido pagado|pedidos pagados}.',
  ],
})
