import { catalogue } from './catalogue.ts'
import { navigation } from './navigation.ts'

export const blocklist = catalogue({
  title: navigation.blocklist,
  value: ['Address or range', 'Adresse oder Bereich', 'Dirección o rango'],
  type: ['Type', 'Art', 'Tipo'],
  ip: ['IP address', 'IP-Adresse', 'Dirección IP'],
  hits: ['Refused orders', 'Abgelehnte Bestellungen', 'Pedidos rechazados'],
  empty: [
    'Orders from addresses on the blocklist are refused. Add an e-mail address, a domain or an IP range.',
    'Bestellungen von gesperrten Adressen werden abgelehnt. Fügen Sie eine E-Mail-Adresse, eine Domain oder einen IP-Bereich hinzu.',
    'Se rechazan los pedidos de direcciones bloqueadas. Añada un correo, un dominio o un rango de IP.',
  ],
  add: ['Add entry', 'Eintrag hinzufügen', 'Añadir entrada'],
  edit: ['Edit entry', 'Eintrag bearbeiten', 'Editar entrada'],
  help: [
    'Such as *@example.com for a domain, or 192.0.2.0/24 for a range.',
    'Etwa *@example.com für eine Domain oder 192.0.2.0/24 für einen Bereich.',
    'Por ejemplo *@example.com para un dominio o 192.0.2.0/24 para un rango.',
  ],
  remove: ['Remove entry', 'Eintrag entfernen', 'Quitar entrada'],
  removeLead: [
    '{value} refused {hits} orders so far. Without this entry it can order again, unless another entry matches.',
    '{value} hat bisher {hits} Bestellungen abgelehnt. Ohne diesen Eintrag sind sie wieder möglich, falls kein anderer passt.',
    '{value} rechazó {hits} pedidos. Sin esta entrada podrá volver a pedir, salvo que otra coincida.',
  ],
})
