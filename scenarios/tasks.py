"""What Celery calls: ids in, one function called."""

from celery import shared_task

from scenarios.services.running import run_job


@shared_task(name="scenarios.run", ignore_result=True)
def run(number: int) -> None:
    """Run the job of this number, unless somebody else has it."""
    run_job(number)
