import django.utils.timezone
from django.db import migrations, models


def widen(apps, schema_editor):
    """Make room for `key@digest`. SQLite does not count the letters of a column, and need not build it anew."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("ALTER TABLE scorepad_pad ALTER COLUMN game TYPE varchar(80)")


class Migration(migrations.Migration):
    dependencies = [("scorepad", "0010_moved_pads")]

    operations = [
        migrations.CreateModel(
            "Declaration",
            [
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("digest", models.CharField(max_length=32, unique=True)),
                ("text", models.TextField()),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
        ),
        migrations.SeparateDatabaseAndState(
            [migrations.RunPython(widen, migrations.RunPython.noop)],
            [migrations.AlterField("pad", "game", models.CharField(max_length=80))],
        ),
    ]
