import "./tooltip.css";

const id = "tooltip";
const gapPx = 6;

/** One tooltip element for the page, because lists have hundreds of triggers. */
const bubble = document.createElement("div");
bubble.id = id;
bubble.className = "tooltip";
bubble.role = "tooltip";
document.body.append(bubble);

let owner: HTMLElement | null = null;

const hide = () => {
  delete bubble.dataset["shown"];
  owner?.removeAttribute("aria-describedby");
  owner = null;
};

const place = (target: HTMLElement) => {
  const at = target.getBoundingClientRect();
  const { width, height } = bubble.getBoundingClientRect();
  const left = Math.min(Math.max(8, at.left + at.width / 2 - width / 2), innerWidth - width - 8);
  const above = at.top - height - gapPx;
  bubble.style.translate = `${left}px ${above < 8 ? at.bottom + gapPx : above}px`;
};

const show = (target: EventTarget | null) => {
  const next = target instanceof Element ? target.closest<HTMLElement>("[data-tip]") : null;
  if (next === owner) return;
  hide();
  if (!next) return;
  owner = next;
  bubble.textContent = next.dataset["tip"] ?? "";
  next.setAttribute("aria-describedby", id);
  bubble.toggleAttribute("data-in-modal", next.closest("[aria-modal=true]") !== null);
  place(next);
  bubble.dataset["shown"] = "";
};

/** Shows `data-tip` on hover and focus, until the pointer leaves or Escape is pressed. */
export const startTooltips = () => {
  document.addEventListener("mouseover", ({ target }) => show(target));
  document.addEventListener("focusin", ({ target }) => {
    if (target instanceof Element && target.matches(":focus-visible")) show(target);
    else hide();
  });
  document.addEventListener("focusout", hide);
  document.addEventListener("pointerdown", hide);
  document.addEventListener("keydown", ({ key }) => key === "Escape" && hide());
  addEventListener("scroll", hide, { capture: true, passive: true });
  addEventListener("resize", hide);
};
