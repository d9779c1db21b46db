import "./Ticket.css";
import type { ReactNode } from "react";

type Fact = { label: string; value: string; mono?: boolean };

type Props = { facts: Fact[]; title: string; children: ReactNode; actions: ReactNode };

/** A page drawn as a ticket: facts on the stub, content and actions on the rest. */
export const TicketPage = ({ facts, title, children, actions }: Props) => (
  <div className="ticket-page">
    <div className="ticket">
      <div className="ticket-stub">
        {facts.map(({ label, value, mono }) => (
          <div className="ticket-fact" key={label}>
            <span>{label}</span>
            <b className={mono ? "mono" : ""}>{value}</b>
          </div>
        ))}
      </div>
      <div className="ticket-notch" aria-hidden="true" />
      <div className="ticket-body">
        <h1 tabIndex={-1} data-page-heading>
          {title}
        </h1>
        <div className="soft">{children}</div>
        <div className="ticket-actions">{actions}</div>
      </div>
    </div>
  </div>
);
